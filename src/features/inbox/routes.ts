import { bindRoutes } from '#platform/routes.ts';
import { changeNotices } from './change-notices.ts';
import { inboxContract } from './contract.ts';
import { keepDevice } from './keep-device.ts';
import { readPublicKey } from './load-push-key.ts';
import { removeDevice } from './remove-device.ts';
import { showDevices } from './show-devices.ts';
import { countUnread, listNotices } from './store/notices.ts';

export const routes = bindRoutes(inboxContract, {
  listNotices: async ({ app, actor }) => {
    const [notices, unread] = await Promise.all([listNotices(app.db, actor.userId), countUnread(app.db, actor.userId)]);
    return { notices: notices.map((notice) => ({ ...notice, at: notice.at.toString() })), unread };
  },
  listDevices: async ({ app, actor }) => {
    const [publicKey, { devices }] = await Promise.all([readPublicKey(app), showDevices(app, actor)]);
    return { public_key: publicKey, devices };
  },
  keepDevice: async ({ app, actor, input, request }) => {
    await keepDevice(app, actor, input.body, request);
    return showDevices(app, actor);
  },
  removeDevice: ({ app, actor, input }) => removeDevice(app, actor, input.params.deviceId),
  markNotices: ({ app, actor, input }) => changeNotices(app, actor, input.body),
});
