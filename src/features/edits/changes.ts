import { randomUUIDv7 } from 'node:crypto';
import type * as z from 'zod/mini';
import type { Rank } from '#features/availability/rules/hold-rules.ts';
import { listStored, loadViewer, type StoredItem, type Viewer } from '#features/calendar/public.ts';
import { type Connection, capabilitiesOf, findConnectionById } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Single } from '#kernel/event.ts';
import type { CalendarId, ConnectionId, EditId, ItemId, UserId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import {
  blockTimeOf,
  type LoadedEvent,
  loadEvent,
  requireEditable,
  requireInvited,
  requireRoom,
} from './calendar-events.ts';
import type { editsContract, newEventShape } from './contract.ts';
import { editingWanted } from './events.ts';
import { answerEvent, instanceIn } from './rules/answer.ts';
import {
  changeEvent as changeBody,
  deleteEvent as deleteBody,
  type EditableBody,
  newEvent,
  type Scope,
} from './rules/event.ts';
import { whenBetween, whenOf } from './rules/event-time.ts';
import { moveRecId } from './rules/recurrence.ts';
import { EditRefused } from './rules/refusal.ts';
import { foldSteps, type Step } from './rules/steps.ts';
import { countPending, type Edit, findEdit, insertEdit, listOfItem, lockPerson, type NewEdit } from './store/edits.ts';

/** More than anybody enters while a calendar does not answer. */
const mostPending = 200;

export const newEditId = () => randomUUIDv7() as string as EditId;
export const newItemId = () => randomUUIDv7() as string as ItemId;

/** The name under which an edit creates something: base32hex, the same in every attempt. */
export const keyOf = (editId: EditId, itemId: ItemId) => sha256(`${editId} ${itemId}`).slice(0, 32);

/** Writes an intent down and has it carried out, in the caller's transaction. *Errors*: AppError (TOO_MANY_EDITS, CALENDAR_FULL). */
export async function createEdit(app: App, tx: Tx, edit: NewEdit): Promise<Edit> {
  if ((await countPending(tx, edit.userId)) >= mostPending) {
    const message = `${mostPending} changes are already waiting to be saved. This one wasn't saved. Try again in a few minutes.`;
    throw new AppError('limited', 'TOO_MANY_EDITS', message);
  }
  await requireRoom(tx, edit.userId, edit.steps);
  const entered = await insertEdit(tx, edit);
  if (entered === null)
    throw new AppError('invalid', 'INVALID_INPUT', 'This id belongs to another edit. Nothing was changed.');
  await blockTimeOf(app, tx, entered);
  await app.news.announce(tx, editingWanted, { connectionId: entered.connectionId });
  await app.feed.publish(tx, edit.userId, 'edits');
  return entered;
}

/** A calendar that new events may be written to. *Errors*: AppError not-found, forbidden (READ_ONLY). */
function requireWritable(viewer: Viewer, calendarId: CalendarId): { connectionId: ConnectionId; zone: string } {
  const face = viewer.faces.get(calendarId);
  if (face === undefined || face.calendar.removed) throw new AppError('not-found', 'NOT_FOUND', 'Calendar not found.');
  if (!face.writable) throw new AppError('forbidden', 'READ_ONLY', 'This calendar is read-only. Nothing was changed.');
  if (!face.connected) {
    const message = "Reconnect this calendar's account first. Nothing was changed.";
    throw new AppError('forbidden', 'READ_ONLY', message);
  }
  return { connectionId: face.calendar.connectionId, zone: face.calendar.zone };
}

/** Turns refusals of the rules into errors of the contract. */
function asAppErrors<T>(decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    if (error instanceof EditRefused) throw new AppError('invalid', error.code, error.message);
    throw error;
  }
}

const titleOf = (body: EditableBody) => body.core.title ?? '';

/** *Errors*: AppError not-found, forbidden (READ_ONLY), invalid (BAD_TIME, BAD_RECURRENCE), limited. */
export async function createEvent(app: App, actor: Actor, input: z.output<typeof newEventShape>): Promise<Edit> {
  const { userId } = actor;
  const viewer = await loadViewer(app.db, userId);
  const { calendar_id, tell_guests: tellGuests = false, edit_id, when, start_time, end_time, ...fields } = input;
  const calendarId = calendar_id as CalendarId;
  const { connectionId, zone } = requireWritable(viewer, calendarId);
  const body = asAppErrors(() =>
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
    return createEdit(app, tx, {
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

type Input = z.output<typeof editsContract.changeEvent.body & object>;

/** *Errors*: AppError not-found, forbidden (READ_ONLY, NOT_ORGANIZER), invalid, conflict (CHANGED_MEANWHILE), limited. */
export async function changeEvent(app: App, actor: Actor, eventId: string, input: Input): Promise<Edit> {
  const { userId } = actor;
  const nowMs = app.clock.nowMs();
  return inTransaction(app.db, async (tx) => {
    await lockPerson(tx, userId);
    const event = await loadEvent(tx, userId, eventId, nowMs);
    const { viewer, itemId, calendarId, recId } = event;
    const before = requireEditable(event);
    requireSeen(event, input.version);
    const { connectionId, zone } = requireWritable(viewer, calendarId);
    const { calendar_id, ...changes } = input.changes;
    const wanted = (calendar_id ?? calendarId) as CalendarId;
    const target = wanted === calendarId ? { connectionId, zone } : requireWritable(viewer, wanted);
    const id = newEditId();
    const edit = { scope: input.scope, changes, leaves: wanted !== calendarId };
    const { rest, made } = asAppErrors(() => changeBody(before, recId, edit, zone));

    const steps: Step[] = [];
    const madeId = newItemId();
    if (made !== null) {
      const key = keyOf(id, madeId);
      steps.push({
        calendarId: wanted,
        connectionId: target.connectionId,
        itemId: madeId,
        before: null,
        after: made,
        key,
      });
    }
    steps.push({ calendarId, connectionId, itemId, before, after: rest });
    const shown = made ?? rest ?? before;
    return createEdit(app, tx, {
      id,
      userId,
      kind: 'change',
      calendarId: wanted,
      itemId: made === null ? itemId : madeId,
      title: titleOf(shown),
      recId,
      recIdAfter: shown.kind === 'series' && recId !== '' ? (moveRecId(before.when, shown.when, recId) ?? '') : '',
      tellGuests: input.tell_guests,
      steps,
      notBeforeMs: 0,
      createdMs: nowMs,
    });
  });
}

/** Requires that the person saw the current version, or the one that their own edits made. */
function requireSeen({ versions, hash }: LoadedEvent, version: string): void {
  if (versions.has(version)) return;
  throw new AppError(
    'conflict',
    'CHANGED_MEANWHILE',
    "This event was changed in another app. Your change wasn't saved.",
    {
      fields: { version: hash.slice(0, 20) },
    },
  );
}

/** Time to reconsider a deletion, or a response that cannot be undone. */
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
    const before = requireEditable(event);
    requireSeen(event, input.version);
    const { connectionId } = requireWritable(viewer, calendarId);
    const after = asAppErrors(() => deleteBody(before, recId, input.scope));
    return createEdit(app, tx, {
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

type AnswerInput = z.output<typeof editsContract.answerInvitation.body & object>;

/**
 * Answers an invitation: an edit of what its owner says and of nothing else. Where an answer cannot be taken back once it is
 * sent, it waits ten seconds. *Errors*: AppError not-found, forbidden (READ_ONLY, NOT_INVITED), invalid, conflict
 * (CHANGED_MEANWHILE), limited.
 */
export function answerInvitation(app: App, actor: Actor, eventId: string, input: AnswerInput): Promise<Edit> {
  const { userId } = actor;
  const { answer, scope, version, note, tell_organizer: tellGuests } = input;
  const nowMs = app.clock.nowMs();
  return inTransaction(app.db, async (tx) => {
    await lockPerson(tx, userId);
    const event = await loadEvent(tx, userId, eventId, nowMs);
    const { itemId, calendarId, recId } = event;
    const { body: before, connectionId, zone } = requireInvited(event);
    requireSeen(event, version);
    const connection = await findConnectionById(tx, connectionId);
    const isFinal = connection !== null && capabilitiesOf(connection).answersAreSent === true;
    const { after, parts } = asAppErrors(() => answerEvent(before, recId, { answer, scope, setsBusy: isFinal }, zone));
    const again = parts.every((part) => instanceIn(before, part)?.core.self === answer);
    return createEdit(app, tx, {
      id: newEditId(),
      userId,
      kind: 'answer',
      calendarId,
      itemId,
      title: (before.kind === 'series' ? before.overrides[recId]?.core.title : null) ?? titleOf(before),
      recId,
      recIdAfter: recId,
      tellGuests,
      steps: [{ calendarId, connectionId, itemId, before, after, answer: { parts, note, again, isFinal } }],
      notBeforeMs: isFinal ? nowMs + secondThoughtsMs : 0,
      createdMs: nowMs,
    });
  });
}

/** An event that another feature keeps in a person's calendar. */
interface KeptEvent {
  userId: UserId;
  calendarId: CalendarId;
  connectionId: Connection['id'];
  /** The item it is, as the last write answered; null: it was never written. */
  itemId: ItemId | null;
  /** The same for the same wish: asked for again it is entered once. */
  editId: EditId;
  /** Name at the provider of an event that is made by this wish: base32hex, never used for another. */
  key: string;
  title: string;
  /** The provider makes a meeting for it when it is made. */
  conference?: boolean;
  /** The rank of a hold. Only holds take time before they are written: an appointment has its time otherwise. */
  hold?: Rank;
  /** Whether its text is kept, because the provider wrote the meeting's details into it. */
  keepsNotes?: boolean;
}

/**
 * Makes an event match `wanted`, or deletes it (null), in the caller's transaction. `over`: the form for an existing
 * event; `anew`: the form for a new one. Fields given here overwrite changes by others; the other fields keep theirs.
 * The provider mails nobody. Returns the item; null if nothing exists and nothing is wanted.
 */
export async function writeFor(
  app: App,
  tx: Tx,
  event: KeptEvent,
  wanted: { anew: Single; over: Single } | null,
): Promise<ItemId | null> {
  const { userId, calendarId, connectionId, editId, key, title, conference, keepsNotes } = event;
  await lockPerson(tx, userId);
  const standing = event.itemId === null ? null : await readStanding(tx, userId, event.itemId);
  const body = standing === null ? (wanted?.anew ?? null) : (wanted?.over ?? null);
  if (standing === null && body === null) return null;
  const itemId = standing === null || event.itemId === null ? newItemId() : event.itemId;
  const step =
    standing === null
      ? { before: null, after: body, key, ...(conference ? { conference } : {}) }
      : { before: standing, after: body === null ? null : over(standing, body, keepsNotes) };
  const entered = await insertEdit(tx, {
    id: editId,
    userId,
    kind: standing === null ? 'create' : body === null ? 'delete' : 'change',
    calendarId,
    itemId,
    title,
    recId: '',
    recIdAfter: '',
    tellGuests: false,
    insists: true,
    steps: [{ calendarId, connectionId, itemId, ...step }],
    notBeforeMs: 0,
    createdMs: app.clock.nowMs(),
  });
  if (entered === null) return event.itemId;
  if (event.hold !== undefined) await blockTimeOf(app, tx, entered, event.hold);
  await app.news.announce(tx, editingWanted, { connectionId });
  await app.feed.publish(tx, userId, 'edits');
  return itemId;
}

function over(standing: EditableBody, body: Single, keepsNotes = false): Single {
  const core = { ...standing.core, ...body.core };
  if (keepsNotes && standing.core.notes !== undefined) core.notes = standing.core.notes;
  return { ...body, core };
}

/** An item as it will stand once what waits is written; null where it is gone, or has a form that we do not write. */
async function readStanding(tx: Tx, userId: UserId, itemId: ItemId): Promise<EditableBody | null> {
  // in this order: what is written between the two is then known twice, and not at all in the other
  const edits = await listOfItem(tx, userId, itemId, Number.MAX_SAFE_INTEGER);
  const [stored] = await listStored(tx, userId, { ids: [itemId] });
  const ahead = foldSteps(edits.filter(({ state }) => state === 'pending')).get(itemId);
  return ahead === undefined ? editableOf(stored) : ahead;
}

function editableOf(stored: StoredItem | undefined): EditableBody | null {
  const body = stored?.body;
  return body?.kind === 'single' || body?.kind === 'series' ? body : null;
}
