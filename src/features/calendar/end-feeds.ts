import { recordAccountEvent } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { deleteFeeds, type FeedContent } from './store/published-feeds.ts';

/** The address of a feed, or of all of a person's, answers nothing when the transaction commits. The trail says so. */
export async function endFeeds(
  tx: Tx,
  userId: UserId,
  only: FeedContent | null,
  { ip, userAgent }: Pick<RequestFacts, 'ip' | 'userAgent'>,
): Promise<void> {
  for (const content of await deleteFeeds(tx, userId, only))
    await recordAccountEvent(tx, { userId, kind: 'feed-ended', request: { ip, userAgent }, details: { content } });
}
