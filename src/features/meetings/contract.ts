/**
 * Owns: the operational console: what stands where, why, and the tools to repair it.
 * Announces: nothing.
 * Never: holds data of its own; rows come from the ledger and the event store through their doors.
 */
import * as z from 'zod/mini';
import { eventIdShape, eventShape } from '#features/calendar/contract.ts';
import { fileAnswer, uuid as id, line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { healths, scopes, sorts, statuses } from './rules/views.ts';

const placeShape = z.strictObject({
  calendar_id: id,
  provider: z.string(),
  account: z.string(),
  subcalendar: z.string(),
  color: z.string(),
});

/** How the blocks of one instance stand; `total` is without what is skipped. */
export const mirrorHealthShape = z.strictObject({
  total: z.int(),
  created: z.int(),
  pending: z.int(),
  failed: z.int(),
  skipped: z.int(),
});

/** The booking of a row; its event and the booking are one row. */
const bookedShape = z.strictObject({
  appointment_id: id,
  seats: z.int(),
  seats_taken: z.int(), // by those who come, and those whom they bring
  location: z.string(), // kind of place: features/booking/rules/type-settings.ts
  /** False: its event does not stand in a calendar, yet or at all. */
  has_event: z.boolean(),
  comers: z.array(
    z.strictObject({
      booking_id: id,
      name: z.string(),
      email: z.string(),
      sequence: z.int(), // a change must name it
      guest_no_show: z.boolean(),
      host_no_show: z.boolean(),
    }),
  ),
});

/** One instance of an event with another attendee, or something that was booked. */
export const meetingRowShape = z.strictObject({
  id: z.string(), // as event_id
  event_id: z.string(),
  item_id: id,
  date: z.string(), // YYYY-MM-DD, in the caller's zone
  time: z.nullable(z.string()), // HH:MM, null for all-day
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  all_day: z.boolean(),
  recurring: z.boolean(),
  invitee: z.string(), // name, else address
  email: z.string(),
  invitees: z.array(
    z.strictObject({
      name: z.nullable(z.string()),
      email: z.string(),
      response: z.nullable(z.enum(['accepted', 'declined', 'tentative', 'needs-action'])),
    }),
  ),
  eventType: z.string(), // without a booking: the title
  status: z.enum(['Confirmed', 'Tentative', 'Declined', 'Completed', 'Cancelled', 'No-show']),
  origin: placeShape,
  mirrorHealth: mirrorHealthShape,
  targets: z.int(), // calendars that its calendar is mirrored to
  meetingLink: z.nullable(z.string()),
  version: z.string(),
  editable: z.boolean(),
  not_editable_reason: eventShape.shape.not_editable_reason,
  open_url: z.nullable(z.string()),
  booking: z.nullable(bookedShape),
  is_mirror: z.literal(false),
});

export const mirrorRowShape = z.strictObject({
  id,
  event_id: id, // the origin's item: what resync and audit go by
  origin_event_id: z.string(), // the instance it stands for, of a whole series the next: what the calendar shows
  date: z.nullable(z.string()), // YYYY-MM-DD of the nearest instance, in the caller's zone
  time: z.nullable(z.string()), // HH:MM, null for all-day
  starts_at: z.nullable(z.iso.datetime()),
  recurring: z.boolean(),
  title: z.string(), // the origin's
  shown_as: z.string(), // the title of the block
  origin: placeShape,
  target: placeShape,
  status: z.enum(['created', 'pending', 'failed', 'skipped']),
  planned_at: z.iso.datetime(),
  last_sync: z.nullable(z.iso.datetime()),
  /** The block is as planned. */
  applied: z.boolean(),
  verified_at: z.nullable(z.iso.datetime()),
  attempts: z.int(),
  next_attempt_at: z.nullable(z.iso.datetime()),
  reason: z.nullable(z.string()),
  error: z.nullable(z.string()),
  open_url: z.nullable(z.string()), // the block in its provider's web application
  is_mirror: z.literal(true),
});

const filters = {
  scope: z.enum(scopes),
  sort: z.optional(z.enum(sorts)), // for mirrors: date, title, origin (the target), health (trouble first, the default)
  order: z.optional(z.enum(['asc', 'desc'])),
  health: z.optional(z.enum(healths)), // for meetings
  status: z.optional(z.enum(statuses)), // for mirrors
  calendar: z.optional(id), // the origin; for mirrors: the target
  provider: z.optional(line(40)),
  attendee: z.optional(line(320)), // an address
  from: z.optional(z.iso.date()), // days in the caller's zone, the last one included
  to: z.optional(z.iso.date()),
  search: z.optional(line(200)),
};

export const auditEntryShape = z.strictObject({
  id: z.string(),
  timestamp: z.iso.datetime(),
  type: z.string(),
  actor: z.enum(['user', 'webhook', 'poll', 'sweep']),
  message: z.string(),
  duration_ms: z.nullable(z.int()),
  status: z.enum(['success', 'error', 'pending']),
  error: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
  /** The calendar that it was about, while its mirror is known. */
  target: z.nullable(z.string()),
});

/** Most events that one bulk resync takes. */
export const mostResyncs = 100;

export const meetingsContract = {
  listMeetings: endpoint({
    method: 'GET',
    path: '/meetings',
    auth: 'user',
    summary: 'A page of the console: upcoming or past meetings, or mirrors. Other lists are empty',
    query: z.strictObject({
      ...filters,
      user_id: z.optional(id), // one's own, or refused: it decides nothing
      page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/))), // 50 rows a page
    }),
    output: z.strictObject({
      upcoming: z.array(meetingRowShape),
      past: z.array(meetingRowShape),
      mirrors: z.array(mirrorRowShape),
      /** Rows of each tab, and mirrors by their state, whatever the filters. */
      counts: z.strictObject({
        upcoming: z.int(),
        past: z.int(),
        mirrors: z.int(),
        created: z.int(),
        pending: z.int(),
        failed: z.int(),
        skipped: z.int(),
        requests: z.int(), // bookings that wait for an answer, or are asked about
      }),
      matching: z.int(),
      pages: z.int(),
    }),
  }),
  exportMeetings: endpoint({
    method: 'GET',
    path: '/api/meetings/export',
    auth: 'user',
    summary: 'Filtered meetings as CSV (UTF-8, RFC 4180), at most 100,000 rows',
    query: z.strictObject(filters),
    output: fileAnswer,
    sendsFile: 'text/csv; charset=utf-8',
  }),
  readAudit: endpoint({
    method: 'GET',
    path: '/events/{id}/audit',
    auth: 'user',
    summary: 'Audit log of a mirror, or of all mirrors of an event, newest first',
    params: z.strictObject({ id: eventIdShape }),
    output: z.strictObject({ logs: z.array(auditEntryShape) }),
  }),
  resyncMirrors: endpoint({
    method: 'POST',
    path: '/mirrors/{eventId}/resync',
    auth: 'user',
    summary: 'Check and rewrite all mirrors of an event, at most once a minute per event',
    params: z.strictObject({ eventId: eventIdShape }),
    output: z.strictObject({ pending: z.int() }),
    status: 202,
  }),
  resyncMany: endpoint({
    method: 'POST',
    path: '/api/mirrors/resync',
    auth: 'user',
    summary: 'The same for many events at once. A repeated call does nothing',
    body: z.strictObject({ event_ids: z.array(eventIdShape).check(z.minLength(1), z.maxLength(mostResyncs)) }),
    output: z.strictObject({
      /** Mirrors that are checked and written again. */
      pending: z.int(),
      queued: z.array(id), // items
      /** Asked for within the last minute already. */
      limited: z.array(id),
      /** Nothing of theirs is mirrored. */
      nothing: z.array(id),
    }),
    status: 202,
  }),
  retryMirror: endpoint({
    method: 'POST',
    path: '/api/mirrors/{mirrorId}/retry',
    auth: 'user',
    summary: 'Retry a failed mirror now',
    params: z.strictObject({ mirrorId: id }),
    output: z.strictObject({ pending: z.int() }),
    errors: ['NOT_FAILED'],
    status: 202,
  }),
};
