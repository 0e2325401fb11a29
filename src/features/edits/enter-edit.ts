import { randomUUIDv7 } from 'node:crypto';
import type { Viewer } from '#features/calendar/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { CalendarId, ConnectionId, EditId, ItemId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { editingWanted } from './events.ts';
import type { EditableBody } from './rules/change-event.ts';
import { EditRefused } from './rules/refusal.ts';
import { countPending, type Edit, insertEdit, type NewEdit } from './store/edits.ts';

/** More than anybody enters while a calendar does not answer. */
const mostPending = 200;

export const newEditId = () => randomUUIDv7() as string as EditId;
export const newItemId = () => randomUUIDv7() as string as ItemId;

/** The name under which an edit creates something: base32hex, the same in every attempt. */
export const keyOf = (editId: EditId, itemId: ItemId) => sha256(`${editId} ${itemId}`).slice(0, 32);

/** Writes an intent down and has it carried out, in the caller's transaction. *Errors*: AppError (TOO_MANY_EDITS). */
export async function enterEdit(app: App, tx: Tx, edit: NewEdit): Promise<Edit> {
  if ((await countPending(tx, edit.userId)) >= mostPending) {
    const message = `${mostPending} changes wait to be written already. This one was not taken; try again when they are through.`;
    throw new AppError('limited', 'TOO_MANY_EDITS', message);
  }
  const entered = await insertEdit(tx, edit);
  if (entered === null)
    throw new AppError('invalid', 'INVALID_INPUT', 'Another edit has this id. Nothing was changed.');
  await app.news.announce(tx, editingWanted, { connectionId: entered.connectionId });
  await app.feed.publish(tx, edit.userId, 'edits');
  return entered;
}

/** A calendar that new events may be written to. *Errors*: AppError not-found, forbidden (READ_ONLY). */
export function demandWritable(viewer: Viewer, calendarId: CalendarId): { connectionId: ConnectionId; zone: string } {
  const face = viewer.faces.get(calendarId);
  if (face === undefined || face.calendar.removed)
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such calendar.');
  if (!face.writable)
    throw new AppError('forbidden', 'READ_ONLY', 'This calendar can only be read. Nothing was changed.');
  if (!face.connected) {
    const message = 'The account of this calendar has to be connected again first. Nothing was changed.';
    throw new AppError('forbidden', 'READ_ONLY', message);
  }
  return { connectionId: face.calendar.connectionId, zone: face.calendar.zone };
}

/** Turns refusals of the rules into errors of the contract. */
export function asAnswer<T>(decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    if (error instanceof EditRefused) throw new AppError('invalid', error.code, error.message);
    throw error;
  }
}

export const titleOf = (body: EditableBody) => body.core.title ?? '';
