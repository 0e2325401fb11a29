import * as z from 'zod/mini';
import { epochMinutes, instantMs } from '#kernel/codecs.ts';
import { bookingStates } from './booking-states.ts';
import { locationShape } from './type-settings.ts';

export const durationMinutes = z.int().check(z.gte(5), z.lte(1_440));

const place = z.nullable(locationShape); // null: not told before it is confirmed

/** A booking as its guest sees it. */
export const bookedShape = z.strictObject({
  uid: z.string(),
  title: z.string(),
  host: z.string(),
  /** Where its guest can book again: its page, or the link that they booked by while it can be used; null: nowhere. */
  book_url: z.nullable(z.string()),
  start: epochMinutes,
  duration: durationMinutes,
  state: z.enum(bookingStates),
  sequence: z.int(), // a move names it
  name: z.string(),
  email: z.string(),
  zone: z.string(),
  language: z.nullable(z.string()),
  guests: z.array(z.string()),
  answers: z.array(z.strictObject({ label: z.string(), answer: z.string() })),
  location: place,
  join_url: z.nullable(z.string()),
  seats: z.int(),
  /** How many times were booked together with it, and which of them this is, from 1. */
  series: z.nullable(z.strictObject({ count: z.int(), number: z.int() })),
  can_change: z.boolean(), // by the guest: cancel, reschedule
  can_change_until: z.nullable(instantMs),
  cancellation: z.string(), // the host's words
  reason: z.nullable(z.string()), // the reason of a decline or cancellation
  ended_by: z.nullable(z.enum(['guest', 'host', 'calendar', 'system'])),
});
export type Booked = z.output<typeof bookedShape>;

/** A booking for whoever has its address, with the dates of its series. */
export const oneBooked = z.strictObject({
  booking: bookedShape,
  /** All dates that were booked together with it, by their times, itself too; empty where it was booked alone. */
  dates: z.array(
    z.strictObject({
      uid: z.string(),
      start: epochMinutes,
      duration: durationMinutes,
      state: z.enum(bookingStates),
      token: z.string(), // the page is /booked/{token}
    }),
  ),
});
export type BookedDates = z.output<typeof oneBooked>['dates'];
