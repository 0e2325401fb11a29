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

/** What rested goes on, and what was missed is made up for. */
export const accountResumed = announcement('accounts.resumed', z.strictObject({ userId: z.string() }));

/** What open browsers are told when a profile or preferences have changed. */
export const profileTopic = 'profile';

/** What open browsers of administrators are told when the audit has grown. */
export const auditTopic = 'audit';
