import * as z from 'zod/mini';
import { id } from '#kernel/codecs.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { sendRequestedMail } from './mail-codes.ts';
import { recordFailedSignIn } from './sign-in/devices.ts';
import { deleteExpiredChallenges } from './store/challenges.ts';
import { deleteExpiredMailCodes } from './store/mail-codes.ts';

// other facts of a request are not kept
const requestFacts = z.object({ id: z.string(), ip: z.string(), userAgent: z.optional(z.string()) });

/** The account; null for an address without one. The job is sent all the same, so that both take as long. */
const anyUser = z.nullable(id<'user'>());

/** Sends the mail that a person requested for their address. */
export const askedMail = defineJob({
  name: 'access.send-asked-mail',
  payload: z.strictObject({ userId: anyUser, wanted: z.enum(['verify', 'reset']), request: requestFacts }),
  handle: (app, { request, ...asked }) =>
    sendRequestedMail(app, { ...asked, request: { ...request, userAgent: request.userAgent } }),
});

/** A wrong password for an account. In a job, because only an existing account has a log. */
export const failedSignIn = defineJob({
  name: 'access.note-failed-sign-in',
  payload: z.strictObject({ userId: anyUser, request: requestFacts }),
  handle: (app, { userId, request }) => recordFailedSignIn(app, userId, { ...request, userAgent: request.userAgent }),
});

/** Removes what nobody used in its time. */
export const sweepCodes = defineJob({
  name: 'access.sweep-codes',
  payload: z.strictObject({}),
  async handle(app) {
    const [challenges, codes] = [await deleteExpiredChallenges(app.db), await deleteExpiredMailCodes(app.db)];
    app.log.debug({ challenges, codes }, 'expired challenges and codes removed');
  },
});

export const jobs = [askedMail, failedSignIn, sweepCodes];
export const schedules: readonly Schedule[] = [{ job: sweepCodes, everyMs: 600_000, payload: {} }];
