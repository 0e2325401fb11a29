import type * as z from 'zod/mini';
import { listMet, type MetAppointment } from '#features/booking/public.ts';
import { listTitles, type ReadInstance, readInstances, type Viewer } from '#features/calendar/public.ts';
import { eventIdOf } from '#features/calendar/rules/event-view.ts';
import { isoOf } from '#features/connections/public.ts';
import { seriesCoverage } from '#features/sync/coverage/public.ts';
import { type ConsoleMirror, countTargets, listMirrorsById } from '#features/sync/public.ts';
import type { Attendee } from '#kernel/event.ts';
import type { CalendarId, MirrorId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { meetingRowShape, mirrorRowShape } from './contract.ts';
import { statusOfBooking, statusOfEvent } from './rules/meeting-status.ts';
import { mirrorHealthOf } from './rules/mirror-health.ts';
import { listBlockStates, listOrigins, type MeetingKey } from './store.ts';

/** A calendar as the console names it. */
interface Place {
  calendar_id: string;
  provider: string;
  account: string;
  subcalendar: string;
  color: string;
}

function placeOf(viewer: Viewer, calendarId: CalendarId): Place {
  const face = viewer.faces.get(calendarId);
  return {
    calendar_id: calendarId,
    provider: face?.provider ?? 'caldav',
    account: face?.account ?? '',
    subcalendar: face?.calendar.name ?? '',
    color: face?.calendar.color ?? '#8e8e93',
  };
}

type MeetingRow = z.output<typeof meetingRowShape>;

/** The rows of these meetings, in their order; one that has gone meanwhile is left out. */
export async function listMeetingRows(
  db: Database,
  userId: UserId,
  viewer: Viewer,
  keys: readonly MeetingKey[],
  nowMs: number,
): Promise<MeetingRow[]> {
  const [instances, states, targetsOf, met, covers] = await Promise.all([
    readInstances(db, userId, viewer, keys),
    listBlockStates(db, userId, keys),
    countTargets(db, userId, nowMs),
    listMet(
      db,
      userId,
      keys.map(({ itemId }) => itemId),
    ),
    seriesCoverage(db, userId, keys, nowMs),
  ]);
  // the block of a series leaves out dates that are declined, free, or too far ahead
  const blocksFor = (key: MeetingKey) =>
    (blocksOf.get(key.itemId) ?? []).map((block) =>
      block.recId !== '' || covers(key, block.targetId) ? block : { ...block, state: 'skipped' as const },
    );
  const blocksOf = Map.groupBy(states, (one) => one.itemId);
  const metOf = new Map<string, MetAppointment>(
    met.flatMap((one) => [
      [one.id, one],
      [one.itemId ?? one.id, one],
    ]),
  );
  return keys.flatMap(({ itemId, recId }): MeetingRow[] => {
    const instance = instances.get(eventIdOf(itemId, recId));
    const booked = metOf.get(itemId);
    if (instance === undefined) return booked === undefined ? [] : [alone(booked, viewer, nowMs)];
    const row = {
      ...ofEvent(instance, viewer, nowMs),
      mirrorHealth: mirrorHealthOf(recId, blocksFor({ itemId, recId })),
      targets: targetsOf(instance.event.calendar_id as CalendarId),
    };
    return [booked === undefined ? row : { ...row, ...ofBooking(booked, viewer, nowMs, true) }];
  });
}

function ofEvent({ event, attendees }: ReadInstance, viewer: Viewer, nowMs: number) {
  const startsAt = Temporal.Instant.from(event.start_time);
  const [first] = others(attendees, viewer);
  return {
    id: event.event_id,
    event_id: event.event_id,
    item_id: event.item_id,
    ...localTime(startsAt, viewer, event.all_day),
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
    status: statusOfEvent(event, nowMs),
    origin: placeOf(viewer, event.calendar_id as CalendarId),
    meetingLink: event.meeting_link,
    version: event.version,
    editable: event.editable,
    not_editable_reason: event.not_editable_reason,
    open_url: event.open_url,
    booking: null,
    is_mirror: false as const,
  };
}

/** Fields that the booking knows better than its event, which is written later, and by others too. */
function ofBooking(booked: MetAppointment, viewer: Viewer, nowMs: number, hasEvent: boolean) {
  const { comers, joinUrl, location } = booked;
  const startsAt = Temporal.Instant.fromEpochMilliseconds(booked.startMs);
  const [first] = comers;
  return {
    ...localTime(startsAt, viewer, false),
    starts_at: startsAt.toString(),
    ends_at: Temporal.Instant.fromEpochMilliseconds(booked.endMs).toString(),
    invitee: first?.name ?? '',
    email: first?.email ?? '',
    invitees: comers.map(({ name, email }) => ({ name, email, response: null })),
    eventType: booked.title,
    status: statusOfBooking(booked, nowMs),
    meetingLink: joinUrl ?? (location.kind === 'link' ? location.url : null),
    booking: {
      appointment_id: booked.id,
      seats: booked.seats,
      seats_taken: comers.reduce((sum, { people }) => sum + people, 0),
      location: location.kind,
      has_event: hasEvent,
      comers: comers.map(({ id, name, email, sequence, guestNoShow, hostNoShow }) => ({
        booking_id: id,
        name,
        email,
        sequence,
        guest_no_show: guestNoShow,
        host_no_show: hostNoShow,
      })),
    },
  };
}

/** A booking whose event is still to be written, or that no calendar has. */
function alone(booked: MetAppointment, viewer: Viewer, nowMs: number): MeetingRow {
  const key = booked.itemId ?? booked.id;
  return {
    id: key,
    event_id: key,
    item_id: key,
    all_day: false,
    recurring: false,
    origin:
      booked.calendarId === null
        ? { calendar_id: booked.id, provider: 'holdfast', account: '', subcalendar: '', color: '#8e8e93' }
        : placeOf(viewer, booked.calendarId),
    mirrorHealth: { total: 0, created: 0, pending: 0, failed: 0, skipped: 0 },
    targets: 0,
    version: '',
    editable: false,
    not_editable_reason: null,
    open_url: null,
    is_mirror: false,
    ...ofBooking(booked, viewer, nowMs, false),
  };
}

function localTime(startsAt: Temporal.Instant, viewer: Viewer, allDay: boolean) {
  const local = startsAt.toZonedDateTimeISO(viewer.ownerZone);
  return {
    date: local.toPlainDate().toString(),
    time: allDay ? null : local.toPlainTime().toString({ smallestUnit: 'minute' }),
  };
}

/** The person's own addresses come last: the calendar of one account lists another account among its guests. */
function others(attendees: readonly Attendee[], { own }: Viewer): Attendee[] {
  return attendees.toSorted(
    (one, other) =>
      Number(own.addresses.has(one.email.toLowerCase())) - Number(own.addresses.has(other.email.toLowerCase())),
  );
}

type MirrorRow = z.output<typeof mirrorRowShape>;
type Origin = { recId?: string; title: string | null; recurring: boolean; startMs: number | null; allDay: boolean };

/** The rows of these mirrors, in their order. */
export async function listMirrorRows(
  db: Database,
  userId: UserId,
  viewer: Viewer,
  ids: MirrorId[],
  nowMs: number,
): Promise<MirrorRow[]> {
  const [mirrors, origins] = await Promise.all([listMirrorsById(db, userId, ids), listOrigins(db, userId, ids, nowMs)]);
  const byId = new Map(mirrors.map((mirror) => [mirror.id, mirror]));
  // an event that is not expanded, because it is far away, has a name all the same
  const items = await listTitles(
    db,
    userId,
    mirrors.map((mirror) => mirror.originItemId),
    nowMs,
  );
  return ids.flatMap((id) => {
    const mirror = byId.get(id);
    return mirror === undefined ? [] : [rowOf(mirror, origins.get(id) ?? items.get(mirror.originItemId), viewer)];
  });
}

function rowOf(mirror: ConsoleMirror, origin: Origin | undefined, viewer: Viewer): MirrorRow {
  const startMs = origin?.startMs ?? null;
  const local =
    startMs === null ? null : Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(viewer.ownerZone);
  const face = viewer.faces.get(mirror.targetCalendarId);
  return {
    id: mirror.id,
    event_id: mirror.originItemId,
    origin_event_id: eventIdOf(mirror.originItemId, origin?.recId ?? mirror.recId),
    date: local?.toPlainDate().toString() ?? null,
    time: local === null || origin?.allDay === true ? null : local.toPlainTime().toString({ smallestUnit: 'minute' }),
    starts_at: isoOf(startMs),
    recurring: origin?.recurring ?? false,
    title: origin?.title ?? 'Untitled',
    shown_as: mirror.shownAs ?? '',
    origin: placeOf(viewer, mirror.originCalendarId),
    target: placeOf(viewer, mirror.targetCalendarId),
    status: mirror.state === 'deleting' ? 'pending' : mirror.state,
    planned_at: isoOf(mirror.plannedMs) ?? '',
    last_sync: isoOf(mirror.appliedMs),
    applied: mirror.applied,
    verified_at: isoOf(mirror.verifiedMs),
    attempts: mirror.attempts,
    next_attempt_at: isoOf(mirror.nextAttemptMs),
    reason: mirror.reason,
    error: mirror.errorMessage,
    open_url: mirror.ref === null ? null : (face?.openUrl(mirror.ref, '') ?? null),
    is_mirror: true,
  };
}
