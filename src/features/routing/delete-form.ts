import type { FormId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { lockOwn } from './demand-own.ts';
import { requireForm } from './require-form.ts';
import { markDeleted } from './store/form-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** Nobody can answer it from now on; what it led to stays. *Errors*: as `requireForm`. */
export async function deleteForm(app: Pick<App, 'db' | 'clock' | 'feed'>, actor: Actor, id: FormId): Promise<void> {
  const form = await requireForm(app.db, actor, id, 'manage-routing');
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, form);
    await markDeleted(tx, id, app.clock.nowMs());
    await tellOwner(app, tx, form);
  });
}
