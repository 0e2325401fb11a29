import { bindRoutes } from '#platform/routes.ts';
import { changeNotices } from './change-notices.ts';
import { inboxContract } from './contract.ts';
import { countUnread, listNotices } from './store/notices.ts';

export const routes = bindRoutes(inboxContract, {
  listNotices: async ({ app, actor }) => {
    const [notices, unread] = await Promise.all([listNotices(app.db, actor.userId), countUnread(app.db, actor.userId)]);
    return { notices: notices.map((notice) => ({ ...notice, at: notice.at.toString() })), unread };
  },
  markNotices: ({ app, actor, input }) => changeNotices(app, actor, input.body),
});
