import { randomUUIDv7 } from 'node:crypto';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { listFacts } from './list-facts.ts';
import { pushJob } from './push-job.ts';
import { keepNotices } from './store/notices.ts';
import { insertPushes } from './store/pushes.ts';

/** What open browsers are told when notices came, went or were read. */
export const inboxTopic = 'inbox';

/** More at once is one cause with many effects; the bell has them all. */
const mostPushed = 5;

/** Compares what a person was told with what is so now. Run twice it changes nothing. */
export async function refreshNotices(app: Pick<App, 'db' | 'clock' | 'feed' | 'jobs'>, userId: UserId): Promise<void> {
  const facts = await listFacts(app, userId);
  await inTransaction(app.db, async (tx) => {
    const rows = facts.map((fact) => ({ ...fact, id: randomUUIDv7() }));
    const { changed, news } = await keepNotices(tx, userId, rows);
    if (changed) await app.feed.publish(tx, userId, inboxTopic);
    if (news.length === 0) return;
    for (const id of await insertPushes(tx, userId, news.slice(0, mostPushed)))
      await app.jobs.send(pushJob, { id }, { tx, key: id });
  });
}
