import { randomUUIDv7 } from 'node:crypto';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { listFacts } from './list-facts.ts';
import { keepNotices } from './store/notices.ts';

/** What open browsers are told when notices came, went or were read. */
export const inboxTopic = 'inbox';

/** Compares what a person was told with what is so now. Run twice it changes nothing. */
export async function refreshNotices(app: Pick<App, 'db' | 'clock' | 'feed'>, userId: UserId): Promise<void> {
  const facts = await listFacts(app, userId);
  await inTransaction(app.db, async (tx) => {
    const rows = facts.map((fact) => ({ ...fact, id: randomUUIDv7() }));
    if (await keepNotices(tx, userId, rows)) await app.feed.publish(tx, userId, inboxTopic);
  });
}
