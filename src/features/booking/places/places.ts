import { isLeaving } from '#features/accounts/public.ts';
import { listStored } from '#features/calendar/public.ts';
import { connectOwn } from '#features/connections/own/public.ts';
import {
  findCalendar,
  findConnectionOf,
  listCalendars,
  listConnections,
  makesConference,
} from '#features/connections/public.ts';
import { writeFor } from '#features/edits/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { CalendarId, EditId, ItemId, UserId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { chooseTarget } from '../choose-target.ts';
import { bookingsTopic } from '../events.ts';
import { uuidOf } from '../rules/booking-address.ts';
import { defaultSettings } from '../rules/type-settings.ts';
import { holdAppointment } from '../store/appointments.ts';
import { findType } from '../store/event-type-rows.ts';
import { writeAppointment } from '../write-appointment.ts';
import { writeCopies } from '../write-copies.ts';
import { type EventPlace, forgetCopyEvent, listLeft, listPlaces, noteLeft, placeAppointment } from './store.ts';

const most = 2_000;

/**
 * Gives each upcoming booking of a person whose calendar is disconnected or deleted an event in the next calendar. A
 * person without a calendar to write to gets the one that Holdfast keeps. The events at the former provider stay there.
 * The result depends only on the state, so repeated runs find less to do.
 */
export async function rehomeBookings(app: App, userId: UserId, signal: AbortSignal): Promise<void> {
  const places = await listPlaces(app.db, userId, { nowMs: app.clock.nowMs(), limit: most });
  if (places.length === 0 || (await isLeaving(app.db, userId))) return;
  const standing = await listStanding(app, userId);
  const misplaced = places.filter(({ calendarId }) => calendarId === null || !standing.has(calendarId));
  let lacksCalendar = false;
  for (const place of misplaced) {
    signal.throwIfAborted();
    const isPlaced = place.isCopy ? await rehomeCopy(app, userId, place) : await rehome(app, userId, place);
    if (!isPlaced) lacksCalendar = true;
  }
  // announces its calendar, which has the bookings placed there
  if (lacksCalendar) await keepCalendar(app, userId);
}

/** Calendars whose events are known and stay: those of an account that is disconnected, and deleted ones, are not. */
async function listStanding({ db }: Pick<App, 'db'>, userId: UserId): Promise<Set<CalendarId>> {
  const [calendars, connections] = await Promise.all([listCalendars(db, userId), listConnections(db, userId)]);
  const leaving = new Set(connections.filter(({ status }) => status === 'disconnecting').map(({ id }) => id));
  return new Set(calendars.filter((one) => !one.left && !leaving.has(one.connectionId)).map(({ id }) => id));
}

async function rehome(
  app: App,
  userId: UserId,
  { appointmentId: id, calendarId: seenIn }: EventPlace,
): Promise<boolean> {
  return inTransaction(app.db, async (tx) => {
    const now = await holdAppointment(tx, id);
    if (!now.live || now.userId !== userId || now.calendarId !== seenIn) return true;
    const type = now.eventTypeId === null ? null : await findType(tx, now.eventTypeId);
    const settings = { ...(type?.settings ?? defaultSettings('one-on-one')), location: now.location };
    const { calendarId } = await chooseTarget(tx, { type: { settings }, link: null }, userId);
    if (calendarId === null && seenIn === null) return false;
    const ref = (await findRef(tx, userId, now.itemId)) ?? now.eventRef;
    if (ref !== null) await noteLeft(tx, userId, ref, id);
    // an event at the former provider has the name
    const eventKey = now.itemId === null ? now.eventKey : sha256(`${now.eventKey} ${now.writes}`).slice(0, 32);
    const losesLink = calendarId !== null && (await makesMeeting(tx, calendarId, now.location.kind));
    await placeAppointment(tx, id, { calendarId, eventKey, losesLink });
    await writeAppointment(app, tx, id);
    await app.feed.publish(tx, userId, bookingsTopic);
    return calendarId !== null;
  });
}

async function rehomeCopy(app: App, userId: UserId, { appointmentId, itemId }: EventPlace): Promise<boolean> {
  await inTransaction(app.db, async (tx) => {
    await holdAppointment(tx, appointmentId);
    const ref = await findRef(tx, userId, itemId);
    if (ref !== null) await noteLeft(tx, userId, ref, appointmentId);
    await forgetCopyEvent(tx, appointmentId, userId);
  });
  await writeCopies(app, appointmentId);
  return (
    (await chooseTarget(app.db, { type: { settings: defaultSettings('collective') }, link: null }, userId))
      .calendarId !== null
  );
}

async function findRef(tx: Tx, userId: UserId, itemId: ItemId | null): Promise<string | null> {
  if (itemId === null) return null;
  const [stored] = await listStored(tx, userId, { ids: [itemId] });
  return stored?.ref ?? null;
}

async function makesMeeting(tx: Tx, calendarId: CalendarId, kind: string): Promise<boolean> {
  const [calendar, connection] = await Promise.all([findCalendar(tx, calendarId), findConnectionOf(tx, calendarId)]);
  return calendar !== null && connection !== null && makesConference(calendar, connection, kind);
}

async function keepCalendar(app: App, userId: UserId): Promise<void> {
  try {
    await connectOwn(app, { userId });
  } catch (error) {
    // the one that exists is being deleted, and its end has the bookings placed again
    if (!(error instanceof AppError)) throw error;
  }
}

/**
 * Deletes the events that bookings left behind in a calendar which is connected again: each booking has another event
 * since, and one that was canceled has none. The guests are mailed nothing.
 */
export async function removeLeftEvents(app: App, calendarId: CalendarId): Promise<void> {
  const [calendar, connection] = await Promise.all([
    findCalendar(app.db, calendarId),
    findConnectionOf(app.db, calendarId),
  ]);
  if (calendar === null || connection === null) return;
  const { userId, writable, removed } = calendar;
  if (!writable || removed || connection.status === 'disconnecting') return;
  const left = await listLeft(app.db, userId, { nowMs: app.clock.nowMs(), limit: most });
  if (left.length === 0) return;
  const found = await listStored(app.db, userId, { calendarId, refs: left.map(({ ref }) => ref) });
  for (const { ref, itemId } of found) {
    const one = left.find((each) => each.ref === ref);
    if (one === undefined) continue;
    await inTransaction(app.db, async (tx) => {
      // the ref stays noted: until the event is gone, it is no conflict of a booking, and a repeated call names one edit
      const editId = uuidOf(`left event ${one.appointmentId} ${itemId}`) as EditId;
      const event = { userId, calendarId, connectionId: connection.id, itemId, editId, key: '', title: one.title };
      await writeFor(app, tx, event, null);
    });
  }
}
