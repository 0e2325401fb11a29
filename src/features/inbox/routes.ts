import { bindRoutes } from '#platform/routes.ts';
import { inboxContract } from './contract.ts';
import { getDevices, removeDevice, updateDevice } from './devices.ts';
import { changeNotices } from './notices.ts';
import { getPublicKey } from './push-key.ts';
import { sayReason } from './pushes.ts';
import { countUnread, listNotices } from './store.ts';

export const routes = bindRoutes(inboxContract, {
  listNotices: async ({ app, actor, request }) => {
    const [notices, unread] = await Promise.all([listNotices(app.db, actor.userId), countUnread(app.db, actor.userId)]);
    const language = request.tongue?.language ?? 'en';
    const shown = notices.map(({ at, details, ...notice }) => ({
      ...notice,
      at: at.toString(),
      details: sayReason(details, language),
    }));
    return { notices: shown, unread };
  },
  listDevices: async ({ app, actor }) => {
    const [publicKey, { devices }] = await Promise.all([getPublicKey(app), getDevices(app, actor)]);
    return { public_key: publicKey, devices };
  },
  keepDevice: async ({ app, actor, input, request }) => {
    await updateDevice(app, actor, input.body, request);
    return getDevices(app, actor);
  },
  removeDevice: ({ app, actor, input }) => removeDevice(app, actor, input.params.deviceId),
  markNotices: ({ app, actor, input }) => changeNotices(app, actor, input.body),
});
