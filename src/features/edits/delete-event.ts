import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { demandSeen } from './change-event.ts';
import { asAnswer, demandWritable, enterEdit, newEditId, titleOf } from './enter-edit.ts';
import { demandEditable, loadEvent } from './load-event.ts';
import { deleteEvent as deleteBody, type Scope } from './rules/change-event.ts';
import { type Edit, lockPerson } from './store/edits.ts';

/** So long a deletion waits for its person to think again. */
const secondThoughtsMs = 10_000;

/** *Errors*: as `changeEvent`. */
export async function deleteEvent(
  app: App,
  actor: Actor,
  eventId: string,
  input: { scope: Scope; version: string; tellGuests: boolean },
): Promise<Edit> {
  const { userId } = actor;
  const nowMs = app.clock.nowMs();
  return inTransaction(app.db, async (tx) => {
    await lockPerson(tx, userId);
    const event = await loadEvent(tx, userId, eventId, nowMs);
    const { viewer, itemId, calendarId, recId } = event;
    const before = demandEditable(event);
    demandSeen(event, input.version);
    const { connectionId } = demandWritable(viewer, calendarId);
    const after = asAnswer(() => deleteBody(before, recId, input.scope));
    return enterEdit(app, tx, {
      id: newEditId(),
      userId,
      kind: 'delete',
      calendarId,
      itemId,
      title: (before.kind === 'series' ? before.overrides[recId]?.core.title : null) ?? titleOf(before),
      recId,
      recIdAfter: recId,
      tellGuests: input.tellGuests,
      steps: [{ calendarId, connectionId, itemId, before, after }],
      notBeforeMs: nowMs + secondThoughtsMs,
      createdMs: nowMs,
    });
  });
}
