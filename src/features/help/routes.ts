import { bindRoutes } from '#platform/routes.ts';
import { helpContract } from './contract.ts';
import { askSupport, getFirstSteps } from './help.ts';
import { updateFirstSteps } from './store.ts';

export const routes = bindRoutes(helpContract, {
  readFirstSteps: ({ app, actor }) => getFirstSteps(app, actor.userId),
  changeFirstSteps: async ({ app, actor, input }) => {
    await updateFirstSteps(app.db, actor.userId, input.body);
    return getFirstSteps(app, actor.userId);
  },
  readSupport: async ({ app }) => {
    const { name = null, contact = null } = app.config.operator;
    return { operator: name, contact };
  },
  askSupport: ({ app, actor, input }) => askSupport(app, actor.userId, input.body),
});
