import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { inTransaction } from '#platform/db.ts';
import { type Edit, findEdit, lockPerson } from './store/edits.ts';

/** Locks a person's edit and runs their decision about it. *Errors*: AppError not-found. */
export async function decideEdit(
  app: App,
  actor: Actor,
  editId: string,
  decide: (tx: Tx, edit: Edit) => Promise<Edit | null>,
): Promise<Edit> {
  return inTransaction(app.db, async (tx) => {
    await lockPerson(tx, actor.userId);
    const edit = await findEdit(tx, actor.userId, editId);
    if (edit === null) throw new AppError('not-found', 'NOT_FOUND', 'There is no such edit.');
    const decided = await decide(tx, edit);
    if (decided === null) throw new Error(`edit ${edit.id} was not held`);
    await app.feed.publish(tx, actor.userId, 'edits');
    return decided;
  });
}
