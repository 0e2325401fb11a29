import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { availabilityTopic, holdRulesChanged } from './events.ts';
import { deleteRow } from './store/absences.ts';

/** Such events take their time again. *Errors*: not-found. */
export function removeHold(app: Pick<App, 'db' | 'news' | 'feed'>, { userId }: Actor, id: string): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    if (!(await deleteRow(tx, 'hold_rules', userId, id)))
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such rule.');
    await app.news.announce(tx, holdRulesChanged, { userId });
    await app.feed.publish(tx, userId, availabilityTopic);
  });
}
