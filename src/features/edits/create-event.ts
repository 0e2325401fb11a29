import type * as z from 'zod/mini';
import { loadViewer } from '#features/calendar/public.ts';
import type { CalendarId, EditId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { newEventShape } from './contract.ts';
import { asAnswer, demandWritable, enterEdit, keyOf, newEditId, newItemId, titleOf } from './enter-edit.ts';
import { newEvent } from './rules/change-event.ts';
import { whenBetween, whenOf } from './rules/event-time.ts';
import { type Edit, findEdit, lockPerson } from './store/edits.ts';

/** *Errors*: AppError not-found, forbidden (READ_ONLY), invalid (BAD_TIME, BAD_RECURRENCE), limited. */
export async function createEvent(app: App, actor: Actor, input: z.output<typeof newEventShape>): Promise<Edit> {
  const { userId } = actor;
  const viewer = await loadViewer(app.db, userId);
  const { calendar_id, tell_guests: tellGuests = false, edit_id, when, start_time, end_time, ...fields } = input;
  const calendarId = calendar_id as CalendarId;
  const { connectionId, zone } = demandWritable(viewer, calendarId);
  const body = asAnswer(() =>
    newEvent(
      {
        ...fields,
        attendees: fields.attendees?.map((guest) => (typeof guest === 'string' ? { email: guest, name: null } : guest)),
      },
      when === undefined ? whenBetween(start_time, end_time, zone) : whenOf(when, null),
      zone,
    ),
  );
  const id = (edit_id as EditId | undefined) ?? newEditId();
  const itemId = newItemId();
  const nowMs = app.clock.nowMs();
  return inTransaction(app.db, async (tx) => {
    await lockPerson(tx, userId);
    const entered = edit_id === undefined ? null : await findEdit(tx, userId, id);
    if (entered !== null) return entered;
    return enterEdit(app, tx, {
      id,
      userId,
      kind: 'create',
      calendarId,
      itemId,
      title: titleOf(body),
      recId: '',
      recIdAfter: '',
      tellGuests,
      steps: [{ calendarId, connectionId, itemId, before: null, after: body, key: keyOf(id, itemId) }],
      notBeforeMs: 0,
      createdMs: nowMs,
    });
  });
}
