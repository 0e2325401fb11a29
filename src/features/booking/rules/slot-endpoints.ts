import * as z from 'zod/mini';
import { epochMinutes, id, instantMs, line, queryInt, queryMinutes, uuid } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

/** Why a time is not offered: kernel/slots/decide-slot.ts. */
export const slotReasonKinds = [
  'paused',
  'past',
  'notice',
  'window',
  'not-a-start',
  'no-host',
  'outside-hours',
  'stale-calendar',
  'busy',
  'booked',
  'held',
  'full',
  'limit-day',
  'limit-week',
  'limit-month',
] as const;

const inTheWay = z.strictObject({
  title: z.nullable(z.string()), // title of an event, or of a booking; null: another person's, who shares only when
  calendar_name: z.nullable(z.string()), // null: a booking, or held for somebody who fills the form in
  event_id: z.nullable(z.string()),
  start_time: instantMs,
  end_time: instantMs,
});

/** `name`: the reason of a day off, the holiday, or the zone of a journey. */
const absence = z.strictObject({ kind: z.enum(['day-off', 'holiday', 'travel']), name: z.string() });

/** Starts from `from` on, until before `to`, at most 62 days later. */
export const minuteRange = { from: queryMinutes, to: queryMinutes };

export const slotEndpoints = {
  listSlots: endpoint({
    method: 'GET',
    path: '/api/book/{handle}/{slug}/slots',
    auth: 'public',
    summary: 'Available times',
    params: z.strictObject({
      handle: line(40), // `l`: the slug is the token of a link
      slug: line(64),
    }),
    query: z.strictObject({
      ...minuteRange,
      duration: z.optional(queryInt(5, 1_440)), // the first of the event type unless given
    }),
    output: z.strictObject({
      starts: z.array(epochMinutes),
      seats_left: z.nullable(z.array(z.int())), // free seats of each start; null unless a group whose host shows them
      next: z.nullable(epochMinutes), // where there is no start: the first one after `to`, null where none is near
      withheld: z.boolean(), // whether starts are withheld because a calendar is not up to date
    }),
    errors: ['RANGE', 'DURATION'],
    requestsPerMinute: 300,
  }),
  listSeriesDates: endpoint({
    method: 'GET',
    path: '/api/book/{handle}/{slug}/series',
    auth: 'public',
    summary: 'Availability of each date of a series before it is booked',
    params: z.strictObject({
      handle: line(40), // as listSlots
      slug: line(64),
    }),
    query: z.strictObject({
      start: queryMinutes,
      duration: z.optional(queryInt(5, 1_440)),
      times: queryInt(1, 52),
      hold_id: z.optional(uuid), // the caller's own hold is in the way of none of them
    }),
    output: z.strictObject({
      dates: z.array(
        z.strictObject({
          start: epochMinutes,
          /** `closed`: it is not offered then, whatever else is booked. */
          state: z.enum(['free', 'taken', 'closed']),
          instead: z.array(epochMinutes), // up to three starts near to one that is not free
        }),
      ),
    }),
    errors: ['NOT_BOOKABLE'],
    requestsPerMinute: 60,
  }),
  explainSlot: endpoint({
    method: 'GET',
    path: '/api/slots/explain',
    auth: 'user',
    summary: 'Explain why a time of an event type can be booked, or list all conflicts',
    query: z.strictObject({
      event_type_id: id<'event-type'>(),
      at: instantMs,
      duration: z.optional(queryInt(5, 1_440)),
    }),
    output: z.strictObject({
      at: instantMs,
      title: z.string(), // title of the event type
      duration: z.int(),
      zone: z.string(), // zone of its hours
      bookable: z.boolean(),
      reasons: z.array(
        z.strictObject({
          kind: z.enum(slotReasonKinds),
          host: z.nullable(z.string()), // in a team, the host who is blocked
          in_the_way: z.nullable(inTheWay),
          absence: z.nullable(absence), // why the caller's own hours are closed, or in another zone
          with_buffers: z.boolean(), // only the buffers around it meet what is in the way
        }),
      ),
      /** The nearest starts that can be booked, at most three. */
      nearest: z.array(instantMs),
    }),
    errors: ['DURATION'],
  }),
};
