import * as z from 'zod/mini';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { deleteExpiredChallenges } from './store/challenges.ts';

/** Removes what nobody used in its time. */
export const sweepCodes = defineJob({
  name: 'access.sweep-codes',
  payload: z.strictObject({}),
  async handle(app) {
    const challenges = await deleteExpiredChallenges(app.db);
    app.log.debug({ challenges }, 'expired challenges removed');
  },
});

export const jobs = [sweepCodes];
export const schedules: readonly Schedule[] = [{ job: sweepCodes, everyMs: 600_000, payload: {} }];
