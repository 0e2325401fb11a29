import { createApiKey, listApiKeys, revokeApiKey } from '#features/accounts/sessions/public.ts';
import { changeFlag, listFlags } from '#features/accounts/settings/public.ts';
import { bindRoutes } from '#platform/routes.ts';
import { settingsEndpoints } from './contract.ts';
import { changeRetention, testMail } from './settings.ts';

export const settingsRoutes = bindRoutes(settingsEndpoints, {
  listKeys: async ({ app }) => ({ keys: await listApiKeys(app.db) }),
  createKey: ({ app, actor, input, request }) => createApiKey(app, actor, input.body, request),
  revokeKey: ({ app, actor, input, request }) => revokeApiKey(app, actor, input.body, request),
  listFlags: async ({ app }) => ({ flags: await listFlags(app.db) }),
  async changeFlag({ app, actor, input, request }) {
    await changeFlag(app, actor, input.body, request);
    return { flags: await listFlags(app.db) };
  },
  changeRetention: ({ app, actor, input, request }) => changeRetention(app, actor, input.body, request),
  testMail: ({ app, actor, input, request }) => testMail(app, actor, input.body.reason, request),
});
