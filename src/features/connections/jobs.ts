import * as z from 'zod/mini';
import { defineJob } from '#platform/jobs.ts';
import { revokeAccess } from './revoke-access.ts';

/** Gives back what an account granted, once the account has left. */
export const revokeJob = defineJob({
  name: 'connections.revoke-access',
  payload: z.strictObject({ revocationId: z.string() }),
  handle: (app, { revocationId }, _signal, { isLast }) => revokeAccess(app, revocationId, isLast),
});

export const jobs = [revokeJob];
