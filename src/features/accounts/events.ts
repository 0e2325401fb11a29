import * as z from 'zod/mini';
import { announcement } from '#kernel/announcement.ts';

/** A person lives in another zone now: all-day events and hours mean other times. */
export const zoneChanged = announcement('accounts.zone-changed', z.strictObject({ userId: z.string() }));

/**
 * A person wants their account gone: what others keep of them elsewhere has to be removed. Said again now and then until
 * they are gone.
 */
export const accountLeaving = announcement('accounts.leaving', z.strictObject({ userId: z.string() }));

/** Nothing is done for a person until they are resumed; what is kept of them stays as it is. */
export const accountSuspended = announcement('accounts.suspended', z.strictObject({ userId: z.string() }));

/** All access without a sign-in ends in this transaction, e.g. after a password reset. The person asked for it here. */
export const lastingAccessEnded = announcement(
  'accounts.lasting-access-ended',
  z.strictObject({ userId: z.string(), ip: z.string(), userAgent: z.nullable(z.string()) }),
);

/** Paused work continues and catches up. */
export const accountResumed = announcement('accounts.resumed', z.strictObject({ userId: z.string() }));

/** The live topic of changed profiles and preferences. */
export const profileTopic = 'profile';

/** The live topic of new entries in the audit log, for administrators. */
export const auditTopic = 'audit';
