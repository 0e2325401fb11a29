import type { SessionId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { publishEntry } from '#platform/feed.ts';
import { sessionEndedTopic } from '#platform/stream.ts';
import { deleteSessions } from './store/sessions.ts';

/**
 * Ends somebody's sessions (all, one, or all but one) when the transaction commits: the next request finds none, and
 * open streams close at once in every process. Whoever changes what a sign-in proves (password, e-mail, second factor,
 * role) or deletes the account calls this in the same transaction. Gives how many ended.
 */
export async function endSessions(
  tx: Tx,
  userId: UserId,
  which: { only?: SessionId | undefined; except?: SessionId | undefined } = {},
): Promise<number> {
  const sessionIds = await deleteSessions(tx, userId, which);
  if (sessionIds.length > 0) await publishEntry(tx, userId, sessionEndedTopic, { sessionIds });
  return sessionIds.length;
}
