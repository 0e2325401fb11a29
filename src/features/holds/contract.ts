/**
 * Owns: holds that are made here: time that what is more important may take, which then move, shrink or go.
 * Announces: holds.changed; open browsers hear the topic holds.
 * Never: touches an event that it did not make; writes to a calendar but through edits.
 */
import * as z from 'zod/mini';
import { counter, id, instantMs, line, uuid } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { eventLimits } from '#kernel/event.ts';
import { rangeShape } from './rules.ts';

const rank = z.literal([1, 2, 3, 4]); // 1 critical to 4 low

/** `gave-way`: to a booking; it comes back if that goes. `released`: it expired. `removed`: by its person. */
export const holdStates = ['held', 'gave-way', 'released', 'removed'] as const;

const hold = z.strictObject({
  hold_id: id<'hold'>(),
  version: z.int(),
  state: z.enum(holdStates),
  calendar_id: uuid,
  event_id: z.nullable(z.string()), // id of the hold's event
  title: z.string(),
  rank,
  rank_now: rank, // critical once its start is near enough
  range: rangeShape,
  range_start: instantMs, // where it may stand
  range_end: instantMs,
  expires_at: z.nullable(instantMs), // released then
  harden_before_minutes: z.nullable(z.int()), // time before the start from which it is critical
  start_time: z.nullable(instantMs), // where it stands; null: nowhere
  end_time: z.nullable(instantMs),
  home_start: instantMs, // where its person put it
  home_end: instantMs,
});

export const holdChanges = [
  'made',
  'changed',
  'moved',
  'shrunk',
  'gave-way',
  'returned',
  'released',
  'removed',
  'restored',
  'followed', // changed by its person in the calendar
] as const;

const entry = z.strictObject({
  kind: z.enum(holdChanges),
  at: instantMs,
  from: z.nullable(z.strictObject({ start: instantMs, end: instantMs })),
  to: z.nullable(z.strictObject({ start: instantMs, end: instantMs })),
  for: z.nullable(z.string()), // title and guests of the booking
});

const fields = {
  title: line(eventLimits.titleChars).check(z.minLength(1)),
  start: instantMs,
  end: instantMs,
  rank,
  range: rangeShape,
  expires_at: z.nullable(instantMs),
  harden_before_minutes: z.nullable(z.int().check(z.gte(1), z.lte(43_200))),
};

const params = z.strictObject({ hold_id: id<'hold'>() });
const output = z.strictObject({ hold });
const errors = ['BAD_TIME', 'BAD_RANGE', 'TAKEN'] as const;

export const holdsContract = {
  listHolds: endpoint({
    method: 'GET',
    path: '/api/holds',
    auth: 'user',
    summary: 'Upcoming holds of the caller, at most 200, and events that were booked over',
    output: z.strictObject({
      holds: z.array(hold), // by time
      overbooked: z.array(
        z.strictObject({
          event_id: z.string(),
          booking_id: id<'booking'>(),
          title: z.string(), // title of the booking
          guests: z.array(z.string()),
          start_time: instantMs,
          end_time: instantMs,
        }),
      ),
    }),
  }),
  readHold: endpoint({
    method: 'GET',
    path: '/api/holds/{hold_id}',
    auth: 'user',
    summary: 'A hold with its history, newest first, at most 50',
    params,
    output: z.strictObject({ hold, history: z.array(entry) }),
  }),
  createHold: endpoint({
    method: 'POST',
    path: '/api/holds',
    auth: 'user',
    summary: 'Create a hold that more important bookings can replace. Its event is written within moments',
    body: z.strictObject({
      ...fields,
      calendar_id: uuid,
      hold_id: z.optional(id<'hold'>()), // a new one, the same in every try
    }),
    output,
    errors: [...errors, 'READ_ONLY', 'TOO_MANY'],
    status: 201,
  }),
  changeHold: endpoint({
    method: 'PATCH',
    path: '/api/holds/{hold_id}',
    auth: 'user',
    summary: 'Change a hold. A new time becomes its home time',
    params,
    body: z.strictObject({ version: counter(), changes: z.partial(z.strictObject(fields)) }),
    output,
    errors: [...errors, 'CHANGED_MEANWHILE', 'TOO_LATE'],
  }),
  removeHold: endpoint({
    method: 'DELETE',
    path: '/api/holds/{hold_id}',
    auth: 'user',
    summary: 'Remove a hold and its event',
    params,
    output,
    errors: ['TOO_LATE'],
  }),
  restoreHold: endpoint({
    method: 'POST',
    path: '/api/holds/{hold_id}/restore',
    auth: 'user',
    summary: 'Restore a removed hold',
    params,
    output,
    errors: ['TOO_LATE', 'TAKEN'],
  }),
};
