import * as z from 'zod/mini';
import { accountLeaving, accountSuspended } from '#features/accounts/events.ts';
import { listAddresses } from '#features/accounts/people/public.ts';
import { addressProved, bookingChanged } from '#features/booking/events.ts';
import { formSubmitted } from '#features/routing/events.ts';
import { memberLeft, memberRoleChanged } from '#features/teams/events.ts';
import { may, ownerOf } from '#features/teams/public.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { followWithin, type ListenerApp } from '#platform/news.ts';
import { mailboxOf } from '#platform/recipients.ts';
import { replanJob, sendJobs } from './runs/jobs.ts';
import { followBooking, followForm, followTroubles } from './runs/planning.ts';
import { followMails } from './runs/runs.ts';
import { dropAgreements } from './store/address-rows.ts';
import { wakeRunsOf } from './store/reader-rows.ts';
import { trimRuns } from './store/run-rows.ts';
import { dropForgotten, passOnWorkflows } from './store/workflow-rows.ts';
import { passOnOwned } from './workflows.ts';

const followMailsJob = defineJob({
  name: 'workflows.follow-mails',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: (app, _payload, signal) => followMails(app, signal),
});

const followTroublesJob = defineJob({
  name: 'workflows.follow-troubles',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: followTroubles,
});

const sweepJob = defineJob({
  name: 'workflows.sweep',
  payload: z.strictObject({}),
  async handle(app) {
    await dropForgotten(app.db);
    await trimRuns(app.db, app.clock.nowMs());
  },
});

const sendAtOnce = async (app: ListenerApp, tx: Tx) => {
  for (const job of sendJobs) await app.jobs.send(job, {}, { tx });
};

export const jobs = [...sendJobs, followMailsJob, followTroublesJob, replanJob, sweepJob];
export const schedules: readonly Schedule[] = [
  ...sendJobs.map((job) => ({ job, everyMs: 5_000, payload: {} })),
  { job: followMailsJob, everyMs: 5_000, payload: {}, key: 'mails' },
  { job: followTroublesJob, everyMs: 60_000, payload: {}, key: 'troubles' },
  { job: sweepJob, everyMs: 6 * 3_600_000, payload: {} },
];
export const listeners = [
  followWithin(memberLeft, (_app, tx, { teamId, userId }) =>
    passOnWorkflows(tx, teamId as TeamId, userId as UserId, ownerOf(teamId as TeamId)),
  ),
  followWithin(memberRoleChanged, async (_app, tx, { teamId, userId, role }) => {
    if (may(role, 'manage-workflows')) return;
    await passOnWorkflows(tx, teamId as TeamId, userId as UserId, ownerOf(teamId as TeamId));
  }),
  followWithin(accountSuspended, (_app, tx, { userId }) => passOnOwned(tx, userId as UserId)),
  followWithin(accountLeaving, async (_app, tx, { userId }) => {
    const address = (await listAddresses(tx, [userId])).get(userId);
    if (address !== undefined) await dropAgreements(tx, address);
  }),
  followWithin(bookingChanged, async (app, tx, heard) => {
    if (await followBooking(app, tx, heard)) await sendAtOnce(app, tx);
  }),
  followWithin(addressProved, async (app, tx, { email }) => {
    await wakeRunsOf(tx, mailboxOf(email), app.clock.nowMs());
    await sendAtOnce(app, tx);
  }),
  followWithin(formSubmitted, async (app, tx, heard) => {
    if (await followForm(app, tx, heard)) await sendAtOnce(app, tx);
  }),
];
