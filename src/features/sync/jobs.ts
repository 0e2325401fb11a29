import * as z from 'zod/mini';
import { accountResumed, accountSuspended } from '#features/accounts/events.ts';
import { eventsMoved, instantsChanged } from '#features/calendar/events.ts';
import { calendarsListed, connectionLeaving } from '#features/connections/events.ts';
import { findCalendar, findConnectionById, refreshCalendars } from '#features/connections/public.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { CalendarId, ConnectionId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { JobShare } from '#platform/fair-share.ts';
import type { Schedule } from '#platform/jobs.ts';
import { defineJob } from '#platform/jobs.ts';
import { followWithin, listenTo } from '#platform/news.ts';
import {
  channelWorkWanted,
  listingWanted,
  planningWanted,
  readingWanted,
  removalWanted,
  writingWanted,
} from './events.ts';
import { followConnection } from './follow.ts';
import { forgetRemoved } from './forget-removed.ts';
import { goOnWithPerson } from './go-on-with-person.ts';
import { keepChannels } from './keep-channels.ts';
import { leaveWithoutTrace } from './leave.ts';
import { pullCalendar } from './pull.ts';
import { reconcile } from './reconcile.ts';
import { restWithPerson } from './rest-with-person.ts';
import { moveMirrors } from './store/mirrors.ts';
import { sweep } from './sweep.ts';
import { tellTroubles } from './tell-troubles.ts';
import { tick } from './tick.ts';
import { watchChannels } from './watch-channels.ts';
import { writeMirrors } from './write-mirrors.ts';

/**
 * Readers and writers mostly wait for a provider, up to half a minute where it is silent. One person has a quarter of
 * them. Without shares, one account of silent servers stopped the readings of all for half a minute.
 */
const atOnce = 32;
const mostOfPerson = 8;

/** A share of the person whose account it is. */
const ofAccount = (most: number): JobShare<App, { connectionId: string }> => ({
  most,
  ownerOf: async ({ db }, { connectionId }) =>
    (await findConnectionById(db, connectionId as ConnectionId))?.userId ?? null,
});

/** One reader per calendar. */
const pullJob = defineJob({
  name: 'sync.pull-calendar',
  payload: z.strictObject({ calendarId: z.string() }),
  policy: 'stately',
  concurrency: atOnce,
  share: {
    most: mostOfPerson,
    ownerOf: async ({ db }, { calendarId }) => (await findCalendar(db, calendarId as CalendarId))?.userId ?? null,
  },
  handle: async (app, { calendarId }, signal) => {
    await pullCalendar(app, calendarId as CalendarId, signal);
  },
});

/** One planner per person. */
const reconcileJob = defineJob({
  name: 'sync.reconcile',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  handle: (app, { userId }, signal) => reconcile(app, userId as UserId, signal),
});

/** One writer per account. The job enqueues its next run when rows are due later. */
const writeJob = defineJob({
  name: 'sync.write-mirrors',
  payload: z.strictObject({ connectionId: z.string() }),
  policy: 'stately',
  concurrency: atOnce,
  share: ofAccount(mostOfPerson),
  handle: async (app, payload, signal) => {
    const nextMs = await writeMirrors(app, payload.connectionId as ConnectionId, signal);
    if (nextMs === null) return;
    const startAfterMs = Math.max(0, nextMs - app.clock.nowMs());
    // further away than this the heartbeat finds it
    if (startAfterMs < 60_000) await app.jobs.send(writeJob, payload, { key: payload.connectionId, startAfterMs });
  },
});

/**
 * New, renamed and re-shared calendars. Refusals are ignored here because the pull job meets and reports the same ones.
 */
const listJob = defineJob({
  name: 'sync.list-calendars',
  payload: z.strictObject({ connectionId: z.string() }),
  policy: 'stately',
  concurrency: 8,
  share: ofAccount(1),
  handle: async (app, { connectionId }, signal) => {
    await refreshCalendars(app, connectionId as ConnectionId, signal).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      app.log.info({ connectionId, err: error }, 'an account did not tell its calendars');
    });
  },
});

const followJob = defineJob({
  name: 'sync.follow-connection',
  payload: z.strictObject({ connectionId: z.string(), userId: z.string() }),
  handle: (app, { connectionId, userId }) => followConnection(app, connectionId as ConnectionId, userId as UserId),
});

const goOnJob = defineJob({
  name: 'sync.go-on-with-person',
  payload: z.strictObject({ userId: z.string() }),
  handle: (app, { userId }) => goOnWithPerson(app, userId as UserId),
});

const leaveJob = defineJob({
  name: 'sync.leave-without-trace',
  payload: z.strictObject({ connectionId: z.string() }),
  policy: 'stately',
  handle: async (app, payload) => {
    const startAfterMs = await leaveWithoutTrace(app, payload.connectionId as ConnectionId);
    if (startAfterMs !== null) await app.jobs.send(leaveJob, payload, { key: payload.connectionId, startAfterMs });
  },
});

/** One at a time for each account: nobody opens a second channel while the first is being opened. */
const channelsJob = defineJob({
  name: 'sync.keep-channels',
  payload: z.strictObject({ connectionId: z.string() }),
  policy: 'stately',
  handle: (app, { connectionId }, signal) => keepChannels(app, connectionId as ConnectionId, signal),
});

const watchJob = defineJob({
  name: 'sync.watch-channels',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: (app) => watchChannels(app),
});

const tickJob = defineJob({
  name: 'sync.tick',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: (app) => tick(app),
});

const sweepJob = defineJob({
  name: 'sync.sweep',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: (app) => sweep(app),
});

const forgetJob = defineJob({
  name: 'sync.forget-removed',
  payload: z.strictObject({}),
  policy: 'stately',
  handle: (app, _payload, signal) => forgetRemoved(app, signal),
});

/** Not with every pass: what heals within minutes is told to nobody. */
const troublesJob = defineJob({
  name: 'sync.tell-troubles',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: (app) => tellTroubles(app),
});

export const jobs = [
  pullJob,
  reconcileJob,
  writeJob,
  listJob,
  followJob,
  goOnJob,
  leaveJob,
  channelsJob,
  watchJob,
  tickJob,
  sweepJob,
  forgetJob,
  troublesJob,
];

export const schedules: Schedule[] = [
  { job: tickJob, everyMs: 2_000, payload: {}, key: 'tick' },
  { job: watchJob, everyMs: 60_000, payload: {}, key: 'watch' },
  { job: sweepJob, everyMs: 600_000, payload: {}, key: 'sweep' },
  { job: forgetJob, everyMs: 600_000, payload: {}, key: 'forget' },
  { job: troublesJob, everyMs: 60_000, payload: {}, key: 'troubles' },
];

export const listeners = [
  followWithin(accountSuspended, (_app, tx, heard) => restWithPerson(tx, heard)),
  listenTo(accountResumed, goOnJob, (heard) => ({ payload: heard })),
  listenTo(readingWanted, pullJob, (heard) => ({ payload: heard, key: heard.calendarId })),
  listenTo(removalWanted, forgetJob, () => ({ payload: {}, key: 'forget-now' })),
  listenTo(listingWanted, listJob, (heard) => ({ payload: heard, key: heard.connectionId })),
  listenTo(planningWanted, reconcileJob, (heard) => ({ payload: heard, key: heard.userId })),
  followWithin(instantsChanged, (_app, tx, heard) => moveMirrors(tx, heard)),
  listenTo(eventsMoved, reconcileJob, (heard) => ({ payload: heard, key: heard.userId })),
  listenTo(writingWanted, writeJob, (heard) => ({ payload: heard, key: heard.connectionId })),
  listenTo(channelWorkWanted, channelsJob, (heard) => ({ payload: heard, key: heard.connectionId })),
  listenTo(calendarsListed, followJob, (heard) => ({ payload: heard })),
  listenTo(connectionLeaving, leaveJob, ({ connectionId }) => ({ payload: { connectionId }, key: connectionId })),
  listenTo(connectionLeaving, channelsJob, ({ connectionId }) => ({ payload: { connectionId }, key: connectionId })),
];
