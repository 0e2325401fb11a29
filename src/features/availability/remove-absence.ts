import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { deleteRow } from './store/absences.ts';
import { tellChange } from './tell-change.ts';

/** A time out of office, or a journey, does not take place. *Errors*: not-found. */
export function removeAbsence(
  app: Pick<App, 'db' | 'news' | 'feed'>,
  { userId }: Actor,
  kind: 'days_off' | 'travels',
  id: string,
): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    if (!(await deleteRow(tx, kind, userId, id)))
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such time away.');
    await tellChange(app, tx, userId);
  });
}
