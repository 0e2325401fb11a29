import * as z from 'zod/mini';
import { deleteRouted } from '#features/booking/public.ts';
import { memberLeft } from '#features/teams/events.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { listenTo } from '#platform/news.ts';
import { restorableDays } from './rules/form-owner.ts';
import { dropForgotten } from './store/form-rows.ts';
import { dropOld } from './store/submission-rows.ts';
import { forgetMember } from './submissions.ts';

/** Time for which submissions and their decisions are kept. */
const keptDays = 365;

const sweepJob = defineJob({
  name: 'routing.sweep',
  payload: z.strictObject({}),
  async handle(app) {
    const nowMs = app.clock.nowMs();
    await dropForgotten(app.db, nowMs - restorableDays * dayMs);
    await deleteRouted(app.db, await dropOld(app.db, nowMs - keptDays * dayMs));
  },
});

const forgetMemberJob = defineJob({
  name: 'routing.forget-member',
  payload: memberLeft.payload,
  handle: (app, { teamId, userId, why }) =>
    forgetMember(app, { teamId: teamId as TeamId, userId: userId as UserId, why }),
});

export const jobs = [sweepJob, forgetMemberJob];
export const listeners = [listenTo(memberLeft, forgetMemberJob, (heard) => ({ payload: heard }))];
export const schedules: readonly Schedule[] = [{ job: sweepJob, everyMs: 6 * 3_600_000, payload: {} }];
