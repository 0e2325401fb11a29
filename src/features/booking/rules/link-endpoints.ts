import * as z from 'zod/mini';
import { id, instantMs, line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { minuteMs } from '#kernel/time/civil.ts';

export const linkKinds = ['private', 'account', 'calendar', 'times'] as const;

/** An address that is hard to guess, and what it is for. */
export const bookingLinkShape = z.strictObject({
  id: id<'booking-link'>(),
  event_type_id: id<'event-type'>(),
  title: z.string(), // title of its event type
  kind: z.enum(linkKinds),
  label: z.string(),
  url: z.string(),
  account_id: z.nullable(z.string()),
  calendar_id: z.nullable(z.string()),
  starts: z.nullable(z.array(instantMs)), // only these may be chosen
  duration_minutes: z.nullable(z.int()), // length of each start
  uses_left: z.nullable(z.int()), // null: any number
  expires_at: z.nullable(instantMs),
  created_at: instantMs,
});

/** A link as Integrations lists it: one row for each event type, account and calendar that can be booked. */
export const meetingLinkShape = z.strictObject({
  id: z.string(),
  kind: z.enum(['event-type', ...linkKinds]),
  title: z.string(),
  url: z.string(),
  eventTypeId: z.string(),
  accountId: z.nullable(z.string()),
  calendarId: z.nullable(z.string()),
});

const newLinkShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('private'),
    event_type_id: id<'event-type'>(),
    label: z.optional(line(120)),
    uses: z.nullable(z.int().check(z.gte(1), z.lte(1_000))), // 1: one-off; null: any number
    expires_at: z.nullable(instantMs),
  }),
  // a person without event types gets one of 30 minutes
  z.strictObject({
    kind: z.literal('account'),
    account_id: id<'connection'>(),
    event_type_id: z.optional(id<'event-type'>()),
  }),
  z.strictObject({
    kind: z.literal('calendar'),
    calendar_id: id<'calendar'>(),
    event_type_id: z.optional(id<'event-type'>()),
  }),
  z.strictObject({
    kind: z.literal('times'),
    event_type_id: z.optional(id<'event-type'>()),
    starts: z.array(instantMs).check(
      z.minLength(1),
      z.maxLength(100),
      z.refine((starts: number[]) => new Set(starts).size === starts.length, {
        error: 'The same time is listed twice',
      }),
      z.refine((starts: number[]) => starts.every((ms) => ms % minuteMs === 0), { error: 'Expected whole minutes' }),
    ),
    duration_minutes: z.int().check(z.gte(5), z.lte(1_440)),
    uses: z.nullable(z.int().check(z.gte(1), z.lte(1_000))),
  }),
]);

export const linkEndpoints = {
  listMeetingLinks: endpoint({
    method: 'GET',
    path: '/meeting-links',
    auth: 'user',
    summary: 'All booking addresses of the caller',
    output: z.strictObject({ links: z.array(meetingLinkShape) }),
  }),
  listBookingLinks: endpoint({
    method: 'GET',
    path: '/api/booking-links',
    auth: 'user',
    summary: 'Private links of the caller, newest first, for one event type or all',
    query: z.strictObject({ event_type_id: z.optional(id<'event-type'>()) }),
    output: z.strictObject({ links: z.array(bookingLinkShape) }),
  }),
  createBookingLink: endpoint({
    method: 'POST',
    path: '/api/booking-links',
    auth: 'user',
    summary:
      'Create a private link: single-use, expiring, for an account, for a calendar, or for certain times. An account and a calendar have one link each, which is returned again',
    body: newLinkShape,
    output: z.strictObject({ link: bookingLinkShape }),
    errors: ['NOT_WRITABLE', 'PAST', 'TOO_MANY'],
    status: 201,
  }),
  deleteBookingLink: endpoint({
    method: 'DELETE',
    path: '/api/booking-links/{id}',
    auth: 'user',
    summary: 'Close a link',
    params: z.strictObject({ id: id<'booking-link'>() }),
    output: z.void(),
  }),
};
