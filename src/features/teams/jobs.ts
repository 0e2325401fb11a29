import * as z from 'zod/mini';
import { accountLeaving } from '#features/accounts/events.ts';
import type { UserId } from '#kernel/ids.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { listenTo } from '#platform/news.ts';
import { leaveAllTeams } from './members.ts';
import { deleteOldInvitations } from './store/invitations.ts';
import { deleteExpiredTeams } from './store/teams.ts';
import { deleteOldDeeds } from './store/trail.ts';

/** Removes what has had its time: deleted teams, invitations that nobody took, old trails. */
const sweepJob = defineJob({
  name: 'teams.sweep',
  payload: z.strictObject({}),
  async handle(app) {
    const [teams, invitations, deeds] = [
      await deleteExpiredTeams(app.db),
      await deleteOldInvitations(app.db),
      await deleteOldDeeds(app.db),
    ];
    app.log.debug({ teams, invitations, deeds }, 'what is over in teams is removed');
  },
});

const leaveJob = defineJob({
  name: 'teams.leave-with-person',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  handle: (app, { userId }) => leaveAllTeams(app, userId as UserId),
});

export const jobs = [sweepJob, leaveJob];
export const schedules: readonly Schedule[] = [{ job: sweepJob, everyMs: 6 * 3_600_000, payload: {} }];
export const listeners = [listenTo(accountLeaving, leaveJob, (payload) => ({ payload, key: payload.userId }))];
