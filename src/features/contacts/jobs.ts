import * as z from 'zod/mini';
import { bookingChanged } from '#features/booking/events.ts';
import { eventsChanged, forCalendar } from '#features/calendar/events.ts';
import { calendarsListed, connectionGone } from '#features/connections/events.ts';
import { listOwners } from '#features/connections/public.ts';
import { memberLeft } from '#features/teams/events.ts';
import type { CalendarId, TeamId, UserId } from '#kernel/ids.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { followWithin, listenTo } from '#platform/news.ts';
import { followBooking, readCalendar, repairContacts } from './meetings.ts';
import { clearDeleted } from './store/contact-rows.ts';
import { deleteOwner } from './store/owner-rows.ts';

/** An initial mirror stores thousands of events in seconds: they are read together. */
const restMs = 3_000;

const readJob = defineJob({
  name: 'contacts.read-calendar',
  payload: z.strictObject({ calendarId: z.string() }),
  policy: 'stately',
  concurrency: 1,
  handle: (app, { calendarId }, signal) => readCalendar(app, calendarId as CalendarId, signal),
});

const wholeJob = defineJob({
  name: 'contacts.keep-true',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  concurrency: 1,
  handle: (app, { userId }, signal) => repairContacts(app, userId as UserId, signal),
});

/** Should news have been lost; and what follows from days going by. */
const checkJob = defineJob({
  name: 'contacts.check',
  payload: z.strictObject({}),
  policy: 'stately',
  async handle(app) {
    for (const userId of await listOwners(app.db)) await app.jobs.send(wholeJob, { userId }, { key: userId });
    await clearDeleted(app.db, app.clock.nowMs());
  },
});

export const jobs = [readJob, wholeJob, checkJob];
export const schedules: Schedule[] = [{ job: checkJob, everyMs: 86_400_000, payload: {}, key: 'check' }];
export const listeners = [
  listenTo(eventsChanged, readJob, (heard) => ({ ...forCalendar(heard), startAfterMs: restMs })),
  // another account brings other addresses that are one's own, or takes its events with it
  ...[calendarsListed, connectionGone].map((news) =>
    listenTo(news, wholeJob, ({ userId }) => ({ payload: { userId }, key: userId, startAfterMs: restMs })),
  ),
  followWithin(bookingChanged, followBooking),
  followWithin(memberLeft, (_app, tx, { teamId, userId }) => deleteOwner(tx, teamId as TeamId, userId as UserId)),
];
