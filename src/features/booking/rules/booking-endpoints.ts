import * as z from 'zod/mini';
import { counter, epochMinutes, id, instantMs, line, queryInt, text, uuid, zone } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { bookedShape, durationMinutes, oneBooked } from './booked-shape.ts';
import { bookingBodies } from './booking-load.ts';
import { bookingStates } from './booking-states.ts';
import { minuteRange, slotEndpoints } from './slot-endpoints.ts';
import { locationShape } from './type-settings.ts';
import { longestReason } from './visit-data.ts';

/** Name and address of somebody, as they type it; `canonicalEmail` says what is an address. */
const personName = line(120).check(z.trim(), z.minLength(1, { error: 'A name is needed' }));
const email = line(320).check(z.trim(), z.minLength(3, { error: 'An address is needed' }));
const reason = text(longestReason);

/** Where something is booked: `/anna/intro`, or `/l/{token}` for a link that is hard to guess. */
export const publicParams = z.strictObject({
  handle: line(40),
  slug: line(64),
});

/** How often something is to be, from `start` on, where the event type repeats. */
const repeated = {
  times: z.optional(z.int().check(z.gte(1), z.lte(52))),
  /** Dates that are booked at another start, or left out. */
  changes: z.optional(
    z.array(z.strictObject({ start: epochMinutes, instead: z.nullable(epochMinutes) })).check(z.maxLength(52)),
  ),
};

export const newHoldShape = z.strictObject({
  start: epochMinutes,
  duration: z.optional(durationMinutes), // the first of the event type unless given
  /** A new one, the same in every try: it can be booked and given back by it even where the answer is lost. */
  hold_id: z.optional(uuid),
  instead_of: z.optional(uuid), // a hold of the same visitor that this one replaces
  ...repeated,
});

export type NewHold = z.output<typeof newHoldShape>;

export const holdShape = z.strictObject({
  hold_id: z.string(), // secret that allows booking the reserved time
  start: epochMinutes,
  duration: durationMinutes,
  expires_at: instantMs,
});

/** The guest's form. Answers are checked by the questions of the event type only. */
export const newBookingShape = z.strictObject({
  start: epochMinutes,
  duration: z.optional(durationMinutes),
  hold_id: z.optional(uuid),
  name: personName,
  email,
  zone,
  language: z.optional(z.string().check(z.regex(/^[a-z]{2,3}(?:-[A-Z]{2})?$/))),
  phone: z.optional(line(40)),
  answers: z.optional(
    z
      .record(line(40), z.union([text(5_000), z.boolean()]))
      .check(z.refine((answers) => Object.keys(answers).length <= 20, { error: 'More answers than questions' })),
  ),
  guests: z.optional(z.array(email).check(z.maxLength(10))), // addresses of people whom the guest brings
  /** Solution of the challenge that a refusal `CHALLENGE` came with; empty: its sender can solve one. */
  solution: z.optional(line(600)),
  ...repeated,
});
export type NewBooking = z.output<typeof newBookingShape>;

const madeShape = z.strictObject({
  bookings: z.array(
    z.strictObject({
      booking: bookedShape,
      token: z.string(), // token of /booked/{token}; while `awaiting-mail`, a mail asks its guest for a proof
    }),
  ), // in the order of their times; more than one if the booking repeats
  redirect_url: z.nullable(z.string()),
});
export type Made = z.output<typeof madeShape>;

/** A booking as its host sees it. */
export const hostBookingShape = z.strictObject({
  booking_id: id<'booking'>(),
  uid: z.string(),
  appointment_id: id<'appointment'>(),
  event_type_id: z.nullable(id<'event-type'>()),
  title: z.string(),
  state: z.enum(bookingStates),
  sequence: z.int(),
  start_time: instantMs,
  end_time: instantMs,
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  zone: z.string(),
  guests: z.array(z.string()),
  email_stopped: z.boolean(), // the guest has stopped emails: none about this booking is sent to them
  untold: z.array(z.string()), // guests whom no email could invite, or tell of the last change
  /** `true`: a ticked box, which each reader sees in words of their language. */
  answers: z.array(z.strictObject({ label: z.string(), answer: z.union([z.string(), z.literal(true)]) })),
  location: locationShape,
  join_url: z.nullable(z.string()),
  seats: z.int(),
  seat: z.int(),
  series_id: z.nullable(z.string()),
  event_id: z.nullable(z.string()), // in the calendar
  calendar_id: z.nullable(z.string()),
  verified: z.boolean(), // the calendars were read again when it was made
  reason: z.nullable(z.string()),
  ended_by: z.nullable(z.enum(['guest', 'host', 'calendar', 'system'])),
  guest_response: z.nullable(z.enum(['accepted', 'declined', 'tentative'])), // in their calendar; told, never acted on
  guest_no_show: z.boolean(),
  host_no_show: z.boolean(),
  created_at: instantMs,
  team_id: z.nullable(id<'team'>()), // team of its event type; null: a person's
  /** Hosts of a team's booking. `left`: no longer in the team, and nobody could take over. */
  hosts: z.array(z.strictObject({ user_id: id<'user'>(), name: z.string(), left: z.boolean() })),
});
export type HostBooking = z.output<typeof hostBookingShape>;

const tokenParams = z.strictObject({ token: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/)) });
const bookingParams = z.strictObject({ booking_id: id<'booking'>() });
const oneBooking = z.strictObject({ booking: hostBookingShape });
/**
 * `fields.start`: which start was refused, in epoch minutes; `fields.nearest`: up to three that can be booked instead, with
 * commas; `fields.reason`: why not.
 */
const refusals = ['SLOT_TAKEN', 'NOT_BOOKABLE'] as const;
const moveShape = { start: epochMinutes, duration: z.optional(durationMinutes), sequence: counter() };

export const bookingEndpoints = {
  holdSlot: endpoint({
    method: 'POST',
    path: '/api/book/{handle}/{slug}/holds',
    auth: 'public',
    summary: 'Reserve a time for ten minutes while the guest fills in the form',
    params: publicParams,
    body: newHoldShape,
    output: holdShape,
    errors: refusals,
    status: 201,
    bodyLimit: 4_096,
  }),
  releaseHold: endpoint({
    method: 'DELETE',
    path: '/api/book/{handle}/{slug}/holds/{hold_id}',
    auth: 'public',
    summary: 'Release a reserved time',
    params: z.extend(publicParams, { hold_id: uuid }),
    output: z.void(),
  }),
  createBooking: endpoint({
    method: 'POST',
    path: '/api/book/{handle}/{slug}/bookings',
    auth: 'public',
    summary: 'Book a time. With an Idempotency-Key, a repeated request returns the same booking',
    params: publicParams,
    body: newBookingShape,
    output: madeShape,
    // KEY_REUSED: the same Idempotency-Key came with another request
    // BLOCKED: the install or the host takes nothing of this address. CHALLENGE: under load, and `fields.challenge` is to be solved
    errors: [...refusals, 'KEY_REUSED', 'BLOCKED', 'CHALLENGE'],
    status: 201,
    allowance: bookingBodies,
    bodyLimit: 128 * 1024,
    takesIdempotencyKey: true,
  }),
  readBooked: endpoint({
    method: 'GET',
    path: '/api/booked/{token}',
    auth: 'public',
    summary: 'A booking and the dates of its series, for anyone with its link',
    params: tokenParams,
    output: oneBooked,
  }),
  listBookedSlots: endpoint({
    method: 'GET',
    path: '/api/booked/{token}/slots',
    auth: 'public',
    summary: 'Times to which the guest can move a booking',
    params: tokenParams,
    query: z.strictObject({
      ...minuteRange,
      duration: z.optional(queryInt(5, 1_440)), // unchanged length by default
    }),
    output: slotEndpoints.listSlots.output,
    errors: ['RANGE', 'DURATION', 'NOT_BOOKABLE'],
    requestsPerMinute: 300,
  }),
  confirmBookedMail: endpoint({
    method: 'POST',
    path: '/api/booked/{token}/confirm',
    auth: 'public',
    summary: 'Confirm the guest’s address with the secret of an email. The booking then counts, and other chosen ones',
    params: tokenParams,
    body: z.strictObject({
      proof: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/)),
      also: z.optional(z.array(uuid).check(z.maxLength(60))), // ids of other waiting bookings of this address
    }),
    output: oneBooked,
    // NOT_PROVED: the address of the booking alone proves nothing
    errors: ['NOT_PROVED', 'TOO_LATE'],
    bodyLimit: 4_096,
  }),
  cancelBooked: endpoint({
    method: 'POST',
    path: '/api/booked/{token}/cancel',
    auth: 'public',
    summary: 'Cancel as the guest. For a series, this date, or this and all later ones',
    params: tokenParams,
    body: z.strictObject({ reason: z.optional(reason), following: z.optional(z.boolean()) }),
    output: oneBooked,
    errors: ['TOO_LATE'],
  }),
  rescheduleBooked: endpoint({
    method: 'POST',
    path: '/api/booked/{token}/reschedule',
    auth: 'public',
    summary: 'Reschedule as the guest',
    params: tokenParams,
    body: z.strictObject({ ...moveShape, reason: z.optional(reason) }),
    output: oneBooked,
    errors: [...refusals, 'TOO_LATE', 'CHANGED_MEANWHILE'],
  }),
  listBookings: endpoint({
    method: 'GET',
    path: '/api/bookings',
    auth: 'user',
    summary: 'Bookings of the caller: upcoming, past, waiting, or ended, by time',
    query: z.strictObject({
      scope: z.enum(['upcoming', 'past', 'pending', 'ended']),
      limit: z.optional(queryInt(1, 200)),
      after: z.optional(uuid), // the last booking of the page before
      team_id: z.optional(id<'team'>()), // all of a team's instead of the caller's own
    }),
    output: z.strictObject({ bookings: z.array(hostBookingShape) }),
  }),
  listOutsideHours: endpoint({
    method: 'GET',
    path: '/api/bookings/outside-hours',
    auth: 'user',
    summary: 'Upcoming bookings outside the caller’s current hours. They stay booked',
    output: z.strictObject({ bookings: z.array(hostBookingShape) }),
  }),
  readBooking: endpoint({
    method: 'GET',
    path: '/api/bookings/{booking_id}',
    auth: 'user',
    summary: 'A booking of the caller, with its history',
    params: bookingParams,
    output: z.strictObject({
      booking: hostBookingShape,
      history: z.array(
        z.strictObject({
          at: instantMs,
          actor: z.enum(['guest', 'host', 'calendar', 'system']),
          kind: z.string(),
          details: z.record(z.string(), z.unknown()),
        }),
      ),
      /** The dates that were booked together with it; null where it was booked alone. `number` counts from 1. */
      series: z.nullable(
        z.strictObject({
          count: z.int(),
          number: z.int(),
          /** The later dates that the caller can cancel with it. */
          later: z.array(z.strictObject({ booking_id: id<'booking'>(), start_time: instantMs, end_time: instantMs })),
        }),
      ),
    }),
  }),
  listBookingSlots: endpoint({
    method: 'GET',
    path: '/api/bookings/{booking_id}/slots',
    auth: 'user',
    summary: 'Times to which a booking can be moved under the rules of its event type',
    params: bookingParams,
    query: z.strictObject(minuteRange),
    output: z.strictObject({ starts: z.array(epochMinutes), next: z.nullable(epochMinutes) }),
    errors: ['RANGE', 'DURATION', 'NOT_BOOKABLE'],
  }),
  confirmBooking: endpoint({
    method: 'POST',
    path: '/api/bookings/{booking_id}/confirm',
    auth: 'user',
    summary: 'Accept a requested booking, or all requests of its series',
    params: bookingParams,
    body: z.strictObject({ series: z.optional(z.boolean()) }),
    output: oneBooking,
    errors: ['TOO_LATE'],
  }),
  declineBooking: endpoint({
    method: 'POST',
    path: '/api/bookings/{booking_id}/decline',
    auth: 'user',
    summary: 'Decline a requested booking, or all requests of its series',
    params: bookingParams,
    body: z.strictObject({ reason: z.optional(reason), series: z.optional(z.boolean()) }),
    output: oneBooking,
    errors: ['TOO_LATE'],
  }),
  cancelBooking: endpoint({
    method: 'POST',
    path: '/api/bookings/{booking_id}/cancel',
    auth: 'user',
    summary:
      'Cancel a booking. For a group, all bookings of its time. For a series, optionally all later dates of its guest',
    params: bookingParams,
    body: z.strictObject({
      reason: z.optional(reason),
      everyone: z.optional(z.boolean()),
      /** Also the later dates of its series, but for those of other hosts. */
      following: z.optional(z.boolean()),
    }),
    output: oneBooking,
    errors: ['TOO_LATE'],
  }),
  rescheduleBooking: endpoint({
    method: 'POST',
    path: '/api/bookings/{booking_id}/reschedule',
    auth: 'user',
    summary: 'Reschedule a booking. For a group, all bookings of its time',
    params: bookingParams,
    body: z.strictObject({
      ...moveShape,
      /** Also where the event type offers nothing: outside hours, over what is busy. Never over another booking. */
      anyway: z.optional(z.boolean()),
    }),
    output: oneBooking,
    errors: [...refusals, 'TOO_LATE', 'CHANGED_MEANWHILE'],
  }),
  markNoShow: endpoint({
    method: 'POST',
    path: '/api/bookings/{booking_id}/no-show',
    auth: 'user',
    summary: 'Mark a no-show, or remove the mark',
    params: bookingParams,
    body: z.strictObject({ who: z.enum(['guest', 'host']), no_show: z.boolean() }),
    output: oneBooking,
    errors: ['TOO_EARLY', 'TOO_LATE'],
  }),
};
