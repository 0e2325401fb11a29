import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { loadType } from './load-type.ts';
import { lockOwn } from './require-own.ts';
import { switchType, type TypeSwitches } from './store/event-type-rows.ts';
import { tellOwner } from './tell-owner.ts';

/** Hides, makes secret, pauses, or the reverse. *Errors*: AppError not-found. */
export async function switchEventType(app: App, actor: Actor, id: EventTypeId, switches: TypeSwitches): Promise<void> {
  const type = await loadType(app.db, actor, id);
  const { hidden = type.hidden, secret = type.secret, paused = type.settings.paused } = switches;
  if (hidden === type.hidden && secret === type.secret && paused === type.settings.paused) return;
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, type);
    await switchType(tx, id, switches);
    await tellOwner(app, tx, type);
  });
}
