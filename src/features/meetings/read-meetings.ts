import type * as z from 'zod/mini';
import { readInstances, type Viewer } from '#features/calendar/public.ts';
import { eventIdOf } from '#features/calendar/rules/event-view.ts';
import { countTargets } from '#features/sync/public.ts';
import type { Attendee } from '#kernel/event.ts';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { meetingRowShape } from './contract.ts';
import { placeOf } from './place-of.ts';
import { mirrorHealthOf } from './rules/mirror-health.ts';
import { listStandings, type MeetingKey } from './store/find-rows.ts';

type Row = z.output<typeof meetingRowShape>;

/** The rows of these meetings, in their order; one that has gone meanwhile is left out. */
export async function readMeetings(
  db: Database,
  userId: UserId,
  viewer: Viewer,
  keys: readonly MeetingKey[],
  nowMs: number,
): Promise<Row[]> {
  const [instances, standings, targetsOf] = await Promise.all([
    readInstances(db, userId, viewer, keys),
    listStandings(db, userId, keys),
    countTargets(db, userId, nowMs),
  ]);
  const blocksOf = Map.groupBy(standings, (one) => one.itemId);
  return keys.flatMap(({ itemId, recId }): Row[] => {
    const instance = instances.get(eventIdOf(itemId, recId));
    if (instance === undefined) return [];
    const { event, attendees } = instance;
    const startsAt = Temporal.Instant.from(event.start_time);
    const local = startsAt.toZonedDateTimeISO(viewer.ownerZone);
    const [first] = others(attendees, viewer);
    const calendarId = event.calendar_id as CalendarId;
    return [
      {
        id: event.event_id,
        event_id: event.event_id,
        item_id: event.item_id,
        date: local.toPlainDate().toString(),
        time: event.all_day ? null : local.toPlainTime().toString({ smallestUnit: 'minute' }),
        starts_at: event.start_time,
        ends_at: event.end_time,
        all_day: event.all_day,
        recurring: event.recurring,
        invitee: first?.name ?? first?.email ?? '',
        email: first?.email ?? '',
        invitees: attendees.map(({ name, email, response }) => ({
          name: name ?? null,
          email,
          response: response ?? null,
        })),
        eventType: event.title,
        status: statusOf(event, nowMs),
        origin: placeOf(viewer, calendarId),
        mirrorHealth: mirrorHealthOf(recId, blocksOf.get(itemId) ?? []),
        targets: targetsOf(calendarId),
        meetingLink: event.meeting_link,
        version: event.version,
        editable: event.editable,
        not_editable_reason: event.not_editable_reason,
        open_url: event.open_url,
        is_mirror: false,
      },
    ];
  });
}

/** Their own addresses last: the calendar of one account lists that of another among its guests. */
function others(attendees: readonly Attendee[], { own }: Viewer): Attendee[] {
  return attendees.toSorted(
    (one, other) =>
      Number(own.addresses.has(one.email.toLowerCase())) - Number(own.addresses.has(other.email.toLowerCase())),
  );
}

function statusOf(event: { declined: boolean; tentative: boolean; end_time: string }, nowMs: number): Row['status'] {
  if (event.declined) return 'Declined';
  if (Temporal.Instant.from(event.end_time).epochMilliseconds <= nowMs) return 'Completed';
  return event.tentative ? 'Tentative' : 'Confirmed';
}
