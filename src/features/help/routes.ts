import { bindRoutes } from '#platform/routes.ts';
import { askSupport } from './ask-support.ts';
import { helpContract } from './contract.ts';
import { readFirstSteps } from './read-first-steps.ts';
import { noteFirstSteps } from './store/first-steps.ts';

export const routes = bindRoutes(helpContract, {
  readFirstSteps: ({ app, actor }) => readFirstSteps(app, actor.userId),
  changeFirstSteps: async ({ app, actor, input }) => {
    await noteFirstSteps(app.db, actor.userId, input.body);
    return readFirstSteps(app, actor.userId);
  },
  readSupport: async ({ app }) => {
    const { name = null, contact = null } = app.config.operator;
    return { operator: name, contact };
  },
  askSupport: ({ app, actor, input }) => askSupport(app, actor.userId, input.body),
});
