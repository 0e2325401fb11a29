import { AppError } from '#kernel/errors.ts';
import type { FormId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { lockOwn } from './demand-own.ts';
import { demandRoom, slugTaken } from './demand-room.ts';
import { type FormOwner, restorableDays } from './rules/form-owner.ts';
import { findDeletedForm, lockForms, unmarkDeleted } from './store/form-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** *Errors*: AppError not-found, forbidden, conflict (`SLUG_TAKEN`, `TOO_MANY`). */
export async function restoreForm(app: Pick<App, 'db' | 'clock' | 'feed'>, actor: Actor, id: FormId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const form = await findDeletedForm(tx, id, app.clock.nowMs() - restorableDays * dayMs);
    if (form === null)
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such form, or it was deleted too long ago.');
    const owner = form as typeof form & FormOwner;
    await lockOwn(tx, actor, owner);
    await lockForms(tx, owner);
    if ((await demandRoom(tx, owner)).has(form.slug)) throw slugTaken();
    await unmarkDeleted(tx, id);
    await tellOwner(app, tx, owner);
  });
}
