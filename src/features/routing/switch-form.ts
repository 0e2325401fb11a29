import type { FormId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { lockOwn } from './demand-own.ts';
import { requireForm } from './require-form.ts';
import { switchFormRow } from './store/form-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** *Errors*: as `requireForm`. */
export async function switchForm(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  actor: Actor,
  id: FormId,
  active: boolean,
): Promise<void> {
  const form = await requireForm(app.db, actor, id, 'manage-routing');
  if (form.active === active) return;
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, form);
    await switchFormRow(tx, id, active, app.clock.nowMs());
    await tellOwner(app, tx, form);
  });
}
