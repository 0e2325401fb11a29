import * as z from 'zod/mini';
import { zoneChanged } from '#features/accounts/events.ts';
import { bookingChanged } from '#features/booking/events.ts';
import type { BookingChange } from '#features/booking/rules/booking-states.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { printLocalDate } from '#kernel/time/local.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { followWithin, listenTo } from '#platform/news.ts';
import { sendDigests } from './digests.ts';
import { longestDays } from './rules/period.ts';
import { listUncounted } from './store/fact-rows.ts';
import { dropOldVisits } from './store/visit-rows.ts';
import { recountBooking, recountPerson } from './sums.ts';

/** Changes after which a booking counts differently. */
const counted: ReadonlySet<BookingChange> = new Set([
  'requested',
  'confirmed',
  'declined',
  'cancelled',
  'expired',
  'rescheduled',
  'reassigned',
  'no-show',
]);

const recountJob = defineJob({
  name: 'analytics.recount-person',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  concurrency: 1,
  async handle(app, { userId }) {
    await recountPerson(app.db, userId as UserId);
  },
});

/** Should somebody's sums have been left behind; and what nobody looks back to. */
const checkJob = defineJob({
  name: 'analytics.check',
  payload: z.strictObject({}),
  policy: 'stately',
  async handle(app) {
    for (const userId of await listUncounted(app.db, { all: false }))
      await app.jobs.send(recountJob, { userId }, { key: userId });
    const nowMs = app.clock.nowMs();
    // a range and the one before it
    await dropOldVisits(app.db, { today: printLocalDate(nowMs), visitsBeforeMs: nowMs - 2 * longestDays * dayMs });
  },
});

const digestJob = defineJob({
  name: 'analytics.send-digests',
  payload: z.strictObject({}),
  policy: 'stately',
  handle: (app, _payload, signal) => sendDigests(app, signal),
});

export const jobs = [recountJob, checkJob, digestJob];
export const schedules: readonly Schedule[] = [
  { job: checkJob, everyMs: dayMs, payload: {}, key: 'check' },
  { job: digestJob, everyMs: 3_600_000, payload: {}, key: 'digests' },
];
export const listeners = [
  followWithin(bookingChanged, async (app, tx, { bookingId, what }) => {
    if (!counted.has(what)) return;
    for (const userId of await recountBooking(tx, bookingId as BookingId))
      await app.jobs.send(recountJob, { userId }, { tx, key: userId });
  }),
  listenTo(zoneChanged, recountJob, (payload) => ({ payload, key: payload.userId })),
];
