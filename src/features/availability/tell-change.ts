import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { availabilityChanged, availabilityTopic } from './events.ts';

/** Tells who listens, and the person's open browsers, that they are open at other times. */
export async function tellChange(app: Pick<App, 'news' | 'feed'>, tx: Tx, userId: UserId): Promise<void> {
  await app.news.announce(tx, availabilityChanged, { userId });
  await app.feed.publish(tx, userId, availabilityTopic);
}
