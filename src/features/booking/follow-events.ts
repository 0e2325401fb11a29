import { listStanding, type Standing } from '#features/calendar/public.ts';
import { type Calendar, findCalendar } from '#features/connections/public.ts';
import { listUnsettled } from '#features/edits/public.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { followEvent } from './follow-event.ts';
import { noteGuestResponses } from './note-guest-responses.ts';
import { readLive } from './read-live.ts';
import { standingOf } from './rules/event-standing.ts';
import { dropQuestions } from './store/questions.ts';
import { listWatchedIn, noteRefs, type Watched } from './store/watched.ts';

const most = 500;

/**
 * Compares a calendar's events of appointments with the bookings, and applies the event types' rules to differences.
 * Pending and failed writes of ours are not a host's wish. The calendar itself is asked before anything follows.
 * *Errors*: ProviderError if it cannot be asked; the other appointments are handled first.
 */
export async function followEvents(app: App, calendarId: CalendarId, signal: AbortSignal): Promise<void> {
  const nowMs = app.clock.nowMs();
  const calendar = await findCalendar(app.db, calendarId);
  if (calendar === null || calendar.removed) return;
  const watched = await listWatchedIn(app.db, calendarId, { nowMs, limit: most });
  if (watched.length === 0) return;
  const items = watched.flatMap(({ itemId }) => itemId ?? []);
  // read before the events: what was wanted when they were read is known
  const unsettled = await listUnsettled(app.db, calendar.userId, items);
  const standing = new Map((await listStanding(app.db, calendar.userId, items)).map((one) => [one.itemId, one]));
  const settled = watched.filter(({ itemId }) => itemId !== null && !unsettled.has(itemId));
  const events = settled.map((appointment) => ({
    appointment,
    event: standing.get(appointment.itemId ?? ('' as never)),
  }));

  await noteRefs(
    app.db,
    events.flatMap(({ appointment: { id }, event }) => (event ? [{ id, itemId: event.itemId, ref: event.ref }] : [])),
  );
  const asBooked = events.filter(({ appointment, event }) => event !== undefined && isAsBooked(appointment, event));
  const others = events.filter((one) => !asBooked.includes(one) && (one.event ?? one.appointment.eventRef) !== null);
  await inTransaction(app.db, async (tx) => {
    for (const { appointment, event } of events)
      if (event !== undefined) await noteGuestResponses(app, tx, appointment, event.body);
    const ids = asBooked.map(({ appointment }) => appointment.id);
    await dropQuestions(tx, calendar.userId, ids, ['moved', 'deleted', 'declined'], nowMs);
  });
  const goneTogether = others.filter(({ event }) => event === undefined).length;
  const failures: ProviderError[] = [];
  for (const { appointment, event } of others) {
    signal.throwIfAborted();
    try {
      const live = await lookAgain(app, calendar, appointment, event, signal);
      if (live !== 'unknown') await followEvent(app, appointment, live, goneTogether);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      failures.push(error);
    }
  }
  if (failures[0] !== undefined) throw failures[0];
}

function isAsBooked({ startMs, endMs }: Watched, event: Standing): boolean {
  const stands = standingOf(event.body, event);
  return stands !== null && !stands.declined && stands.startMs === startMs && stands.endMs === endMs;
}

async function lookAgain(
  app: App,
  calendar: Calendar,
  { itemId, eventRef }: Watched,
  event: Standing | undefined,
  signal: AbortSignal,
) {
  const ref = event?.ref ?? eventRef;
  if (itemId === null || ref === null) return 'unknown';
  const live = await readLive(app, calendar, { itemId, ref }, signal);
  if (live === null || live === 'unknown') return live;
  return standingOf(live.body, live) ?? 'unknown';
}
