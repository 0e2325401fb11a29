import * as z from 'zod/mini';
import { lastingAccessEnded, zoneChanged } from '#features/accounts/events.ts';
import { holdRulesChanged } from '#features/availability/events.ts';
import { calendarMoved } from '#features/connections/events.ts';
import type { UserId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import type { Schedule } from '#platform/jobs.ts';
import { defineJob } from '#platform/jobs.ts';
import { followWithin, listenTo } from '#platform/news.ts';
import { applyZoneData } from './apply-zone-data.ts';
import { endFeeds } from './end-feeds.ts';
import { eventsMoved } from './events.ts';
import { rollSpans } from './roll-spans.ts';

/** Every series' instances for the window of a new day. */
const rollJob = defineJob({
  name: 'calendar.roll-spans',
  payload: z.strictObject({}),
  policy: 'stately',
  handle: (app, _payload, signal) => rollSpans(app, null, signal),
});

const moveJob = defineJob({
  name: 'calendar.move-spans',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  handle: async (app, { userId }, signal) => {
    await rollSpans(app, userId as UserId, signal);
    await inTransaction(app.db, async (tx) => {
      await app.news.announce(tx, eventsMoved, { userId });
      await app.feed.publish(tx, userId as UserId, 'calendar');
    });
  },
});

/** Soon after a start with other time zone data, and one look at one row otherwise. */
const zoneDataJob = defineJob({
  name: 'calendar.apply-zone-data',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: (app, _payload, signal) => applyZoneData(app, signal),
});

export const jobs = [rollJob, moveJob, zoneDataJob];
export const schedules: Schedule[] = [
  { job: rollJob, everyMs: 86_400_000, payload: {}, key: 'roll' },
  { job: zoneDataJob, everyMs: 60_000, payload: {}, key: 'zone-data' },
];
export const listeners = [
  followWithin(lastingAccessEnded, (_app, tx, { userId, ip, userAgent }) =>
    endFeeds(tx, userId as UserId, null, { ip, userAgent: userAgent ?? undefined }),
  ),
  listenTo(zoneChanged, moveJob, (heard) => ({ payload: heard, key: heard.userId })),
  listenTo(calendarMoved, moveJob, (heard) => ({ payload: heard, key: heard.userId })),
  listenTo(holdRulesChanged, moveJob, (heard) => ({ payload: heard, key: heard.userId })),
];
