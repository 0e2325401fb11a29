import * as z from 'zod/mini';
import { dropMadeHolds } from '#features/availability/public.ts';
import { bookingChanged } from '#features/booking/events.ts';
import { eventsChanged, forCalendar } from '#features/calendar/events.ts';
import { findCalendar } from '#features/connections/public.ts';
import { itemRenamed } from '#features/edits/events.ts';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { listenTo } from '#platform/news.ts';
import { holdsChanged } from './events.ts';
import { followHolds } from './follow.ts';
import { releaseHolds, renameHold } from './holds.ts';
import { settleHolds } from './settle.ts';
import { deleteOldHolds, hasDisplaced } from './store.ts';

const heartbeatMs = 10_000;
const keptMs = 90 * 86_400_000;

/** Something was booked, moved or cancelled. */
const settleJob = defineJob({
  name: 'holds.settle',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  handle: (app, { userId }) => settleHolds(app, userId as UserId),
});

/** A calendar changed: its person may have moved a hold, onto a booking too, or a place may be free again. */
const followJob = defineJob({
  name: 'holds.follow-calendar',
  payload: z.strictObject({ calendarId: z.string() }),
  policy: 'stately',
  async handle(app, payload, signal) {
    const calendarId = payload.calendarId as CalendarId;
    const followed = await followHolds(app, calendarId, signal);
    const calendar = await findCalendar(app.db, calendarId);
    if (calendar === null) return;
    const { userId } = calendar;
    if (followed || (await hasDisplaced(app.db, userId, app.clock.nowMs()))) await settleHolds(app, userId);
  },
});

const renameJob = defineJob({
  name: 'holds.rename-item',
  payload: itemRenamed.payload,
  handle: (app, { userId, from, to }) => renameHold(app, userId as UserId, from as ItemId, to as ItemId),
});

/** Sends itself again for what expires before the next heartbeat. */
const releaseJob = defineJob({
  name: 'holds.release',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  async handle(app, payload, signal) {
    const nextMs = await releaseHolds(app, signal);
    const startAfterMs = nextMs === null ? Infinity : Math.max(0, nextMs - app.clock.nowMs());
    if (startAfterMs < 2 * heartbeatMs) await app.jobs.send(releaseJob, payload, { key: 'release', startAfterMs });
  },
});

const trimJob = defineJob({
  name: 'holds.trim',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: (app) =>
    inTransaction(app.db, async (tx) => dropMadeHolds(tx, await deleteOldHolds(tx, app.clock.nowMs() - keptMs))),
});

export const jobs = [settleJob, followJob, renameJob, releaseJob, trimJob];
export const schedules: readonly Schedule[] = [
  { job: releaseJob, everyMs: heartbeatMs, payload: {}, key: 'release' },
  { job: trimJob, everyMs: 86_400_000, payload: {}, key: 'trim' },
];
export const listeners = [
  listenTo(bookingChanged, settleJob, ({ userId }) => ({ payload: { userId }, key: userId })),
  listenTo(holdsChanged, settleJob, (payload) => ({ payload, key: payload.userId })),
  listenTo(eventsChanged, followJob, forCalendar),
  listenTo(itemRenamed, renameJob, (payload) => ({ payload })),
];
