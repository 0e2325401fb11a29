import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { planningWanted } from './events.ts';
import { loadGroups, setBreaker } from './store/groups.ts';

/** The person's word on deletions that were held back: carried out, or the blocks stay and are theirs. */
export async function answerBreaker(
  app: App,
  actor: Actor,
  groupId: string,
  answer: { sourceCalendarId: string; targetCalendarId: string; answer: 'delete' | 'keep' },
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const { groups, pairs } = await loadGroups(tx, actor.userId);
    if (!groups.some((one) => one.id === groupId))
      throw new AppError('not-found', 'NOT_FOUND', 'Mirror group not found.');
    const pair = pairs.find(
      (one) =>
        one.groupId === groupId &&
        one.sourceCalendarId === answer.sourceCalendarId &&
        one.targetCalendarId === answer.targetCalendarId,
    );
    if (pair === undefined || (pair.breaker !== 'open' && pair.breaker !== 'waiting')) {
      throw new AppError('conflict', 'NO_BREAKER', 'No changes are on hold here anymore.');
    }
    await setBreaker(tx, pair, answer.answer === 'delete' ? 'allowed' : 'keeping', null);
    await app.news.announce(tx, planningWanted, { userId: actor.userId });
    await app.feed.publish(tx, actor.userId, 'mirrors');
  });
}
