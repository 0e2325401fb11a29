import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { inboxTopic } from './refresh-notices.ts';
import { countUnread, markNotices } from './store/notices.ts';

/** Marks notices as read or unread, in every window of the person. */
export function changeNotices(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  wish: { ids?: string[] | undefined; read: boolean },
): Promise<{ unread: number }> {
  return inTransaction(app.db, async (tx) => {
    if (await markNotices(tx, actor.userId, wish)) await app.feed.publish(tx, actor.userId, inboxTopic);
    return { unread: await countUnread(tx, actor.userId) };
  });
}
