import type { Rank } from '#features/availability/rules/hold-rules.ts';
import { dropPendingTime, keepPendingTime } from '#features/calendar/pending/public.ts';
import {
  listStored,
  loadViewer,
  measureEvents,
  notEditable,
  partOf,
  readEventId,
  type StoredItem,
  type Viewer,
  versionOf,
} from '#features/calendar/public.ts';
import { findConnectionById } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { EventBody, RecId } from '#kernel/event.ts';
import { contentHash } from '#kernel/event-hash.ts';
import type { CalendarId, ConnectionId, ItemId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { Database, Tx } from '#platform/db.ts';
import { nextTurn } from '#platform/in-slices.ts';
import { takeAllowances } from '#platform/limits.ts';
import { type Details, detailsOf, type EditableBody, instanceOf } from './rules/event.ts';
import { EditRefused } from './rules/refusal.ts';
import { foldSteps, type Step } from './rules/steps.ts';
import { type Edit, type EditChange, listOfItem, updateEdit as updateStored } from './store/edits.ts';

/** An event as its person sees it: with what they changed and is still to be written. */
export interface LoadedEvent {
  viewer: Viewer;
  itemId: ItemId;
  calendarId: CalendarId;
  recId: RecId | '';
  /** Null while it is still to be created. */
  stored: StoredItem | null;
  body: EventBody;
  hash: string;
  /** Versions of its current state, all seen by the author of the edits. */
  versions: Set<string>;
}

/** How long an own edit is remembered as the reason why an event looks different. */
const ownEditsMs = 600_000;

/** *Errors*: AppError not-found. */
export async function loadEvent(db: Database, userId: UserId, eventId: string, nowMs: number): Promise<LoadedEvent> {
  const { itemId, recId } = readEventId(eventId);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(itemId)) throw notThere();
  const id = itemId as ItemId;
  const [viewer, [stored = null], edits] = await Promise.all([
    loadViewer(db, userId),
    listStored(db, userId, { ids: [id] }),
    listOfItem(db, userId, id, nowMs - ownEditsMs),
  ]);
  const waiting = edits.filter((edit) => edit.state === 'pending');
  const ahead = foldSteps(waiting).get(id);
  const body = ahead === undefined ? (stored?.body ?? null) : ahead;
  const calendarId = stored?.calendarId ?? placeOf(waiting, id);
  if (body === null || calendarId === null || !viewer.faces.has(calendarId)) throw notThere();
  if (body.kind === 'series' && !hasInstance(body, recId)) throw notThere();
  const hash = ahead === undefined && stored !== null ? stored.hash : contentHash(body);
  return { viewer, itemId: id, calendarId, recId, stored, body, hash, versions: await listVersions(edits, id, hash) };
}

const notThere = () => new AppError('not-found', 'NOT_FOUND', 'Event not found. It may have been deleted.');

function placeOf(waiting: Edit[], itemId: ItemId): CalendarId | null {
  for (const { steps } of waiting) {
    const step = steps.find((one) => one.itemId === itemId);
    if (step !== undefined) return step.calendarId;
  }
  return null;
}

function hasInstance(body: EditableBody & { kind: 'series' }, recId: RecId | ''): boolean {
  try {
    if (recId !== '') instanceOf(body, recId);
    return true;
  } catch (error) {
    if (error instanceof EditRefused) return false;
    throw error;
  }
}

/** Edits that are looked back through. The hash of a large event takes milliseconds. */
const mostLookedBack = 20;

/** From the present state back through this person's own edits: what led here is no change by somebody else. */
async function listVersions(edits: Edit[], itemId: ItemId, hash: string): Promise<Set<string>> {
  const known = new Set([hash]);
  for (const { steps } of edits.slice(-mostLookedBack).toReversed()) {
    const step = steps.find((one) => one.itemId === itemId);
    if (step === undefined) continue;
    const led: string[] = [];
    for (const body of [step.after, step.result]) if (body != null) led.push(await hashInTurn(body));
    if (!led.some((state) => known.has(state))) continue;
    for (const state of led) known.add(state);
    if (step.before !== null) known.add(await hashInTurn(step.before));
  }
  return new Set([...known].map(versionOf));
}

async function hashInTurn(body: EventBody): Promise<string> {
  await nextTurn();
  return contentHash(body);
}

/** Refuses what its person may not, or cannot, change here. *Errors*: AppError. */
export function requireEditable(event: LoadedEvent): EditableBody {
  const { viewer, body, calendarId, recId, stored } = event;
  const { core } = partOf(body, recId);
  const face = viewer.faces.get(calendarId);
  const provenance = stored?.provenance ?? 'foreign';
  const reason = face === undefined ? 'read-only' : notEditable({ provenance, body: body.kind, core }, face);
  if (reason === 'invited')
    throw new AppError('forbidden', 'NOT_ORGANIZER', 'Only the organizer can change this event.');
  if (reason !== null || (body.kind !== 'single' && body.kind !== 'series'))
    throw new AppError('forbidden', 'READ_ONLY', words[reason ?? 'unreadable']);
  return body;
}

/** Refuses what its person cannot answer. *Errors*: AppError forbidden. */
export function requireInvited(event: LoadedEvent): { body: EditableBody; connectionId: ConnectionId; zone: string } {
  const { viewer, body, calendarId, recId, stored } = event;
  const face = viewer.faces.get(calendarId);
  const reason =
    face === undefined
      ? 'read-only'
      : notEditable(
          { provenance: stored?.provenance ?? 'foreign', body: body.kind, core: partOf(body, recId).core },
          face,
        );
  if (face?.connected === false) throw new AppError('forbidden', 'READ_ONLY', words.reconnect);
  if (reason !== null && reason !== 'invited') throw new AppError('forbidden', 'READ_ONLY', words[reason]);
  if (face === undefined || reason === null || (body.kind !== 'single' && body.kind !== 'series'))
    throw new AppError('forbidden', 'NOT_INVITED', "You aren't invited to this event, so there's nothing to answer.");
  return { body, connectionId: face.calendar.connectionId, zone: face.calendar.zone };
}

const words = {
  'read-only': 'This calendar is read-only. Nothing was changed.',
  block: 'This is a block created by Holdfast. Change the original event instead.',
  unreadable: "This event can't be edited here. Open it in its own calendar app.",
  reconnect: "Reconnect this calendar's account first. Nothing was changed.",
} as const;

/** One event or instance for the editor. *Errors*: AppError not-found. */
export async function getEvent(app: App, actor: Actor, eventId: string): Promise<Details> {
  const event = await loadEvent(app.db, actor.userId, eventId, app.clock.nowMs());
  const { viewer, stored } = event;
  const details = detailsView(viewer, {
    ...event,
    ref: stored?.ref ?? null,
    provenance: stored?.provenance ?? 'foreign',
  });
  if (details === null) throw new AppError('not-found', 'NOT_FOUND', "This event can't be read.");
  return details;
}

interface DetailedItem {
  itemId: ItemId;
  calendarId: CalendarId;
  recId: string;
  ref: string | null;
  provenance: 'foreign' | 'own';
  body: EventBody;
  hash: string;
}

/** Null for what cannot be read, or whose calendar is gone. */
export function detailsView(viewer: Viewer, item: DetailedItem): Details | null {
  const { itemId, calendarId, recId, ref, provenance, body, hash } = item;
  const face = viewer.faces.get(calendarId);
  if (face === undefined) return null;
  const details = detailsOf(body, recId, face.calendar.zone);
  if (details === null) return null;
  const core = partOf(body, recId).core;
  const reason = notEditable({ provenance, body: body.kind, core }, face);
  return {
    ...details,
    event_id: recId === '' ? itemId : `${itemId}_${recId}`,
    item_id: itemId,
    calendar_id: calendarId,
    version: versionOf(hash),
    editable: reason === null,
    not_editable_reason: reason,
    open_url: ref === null ? null : face.openUrl(ref, recId),
  };
}

/** The calendar that the install keeps for a person: no provider limits it. */
export const mostOwn = { events: 20_000, megabytes: 50 } as const;
const megabyte = 1024 * 1024;

/** Edits are kept for a month with the event before and after: so many kilobytes of them a day. One edit is at least one. */
export const changedText = {
  action: 'kilobytes of edits per person',
  burst: 20 * 1024,
  periodSeconds: 86_400,
} as const;

/** *Errors*: AppError limited (TOO_MANY_EDITS, CALENDAR_FULL). */
export async function requireRoom(tx: Tx, userId: UserId, steps: readonly Step[]): Promise<void> {
  const kilobytes = Math.ceil(sizeOf(steps) / 1024);
  const { burst } = changedText;
  const taken = await takeAllowances(tx, { ...changedText, burst: burst / kilobytes }, [userId]);
  if (taken.size === 0) {
    const message = "Too many events were changed today. This change wasn't saved. Try again later.";
    throw new AppError('limited', 'TOO_MANY_EDITS', message);
  }
  for (const { calendarId, connectionId, before, after } of steps) {
    const added = after === null || before !== null ? 0 : 1;
    const grown = after === null ? 0 : sizeOf(after) - (before === null ? 0 : sizeOf(before));
    if (grown <= 0 || (await findConnectionById(tx, connectionId))?.provider !== 'holdfast') continue;
    const { events, bytes } = await measureEvents(tx, calendarId);
    if (events + added <= mostOwn.events && bytes + grown <= mostOwn.megabytes * megabyte) continue;
    const message = `A calendar can have up to ${mostOwn.events} events and ${mostOwn.megabytes} MB of text. Delete some events first.`;
    throw new AppError('limited', 'CALENDAR_FULL', message);
  }
}

const sizeOf = (value: object) => Buffer.byteLength(JSON.stringify(value));

/** From its acceptance an edit takes the time that it asks for. A deletion frees time only once it is written. */
export async function blockTimeOf(
  { clock }: Pick<App, 'clock'>,
  tx: Tx,
  edit: Pick<Edit, 'id' | 'userId' | 'kind' | 'steps' | 'step'>,
  hold: Rank | null = null,
): Promise<void> {
  const events = edit.steps
    .slice(edit.step)
    .flatMap(({ itemId, calendarId, after }) => (after === null ? [] : [{ itemId, calendarId, body: after }]));
  if (edit.kind === 'delete') return;
  await keepPendingTime(tx, { editId: edit.id, userId: edit.userId }, events, { nowMs: clock.nowMs(), hold });
}

/** Changes an edit as the store does. A settled edit, or one in conflict, takes no time any more. */
export async function updateEdit(tx: Tx, edit: Pick<Edit, 'id' | 'claim'>, change: EditChange): Promise<Edit | null> {
  const updated = await updateStored(tx, edit, change);
  if (updated !== null && change.state !== undefined && change.state !== 'pending') await dropPendingTime(tx, edit.id);
  return updated;
}
