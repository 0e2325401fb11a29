import * as z from 'zod/mini';
import { accountLeaving, accountResumed, accountSuspended, zoneChanged } from '#features/accounts/events.ts';
import { loadOwnerZone } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import { defineJob } from '#platform/jobs.ts';
import { followWithin, listenTo } from '#platform/news.ts';
import { disconnectAll, suspendAccounts } from './connections.ts';
import { connectionGone } from './events.ts';
import { revokeAccess } from './oauth/access.ts';
import { followOwner } from './store/calendars.ts';

/** A connection that is gone says so itself; this is for those that never do. */
const lookAgainMs = 60_000;

/** Gives back what an account granted, once the account has left. */
export const revokeJob = defineJob({
  name: 'connections.revoke-access',
  payload: z.strictObject({ revocationId: z.string() }),
  handle: (app, { revocationId }, _signal, { isLast }) => revokeAccess(app, revocationId, isLast),
});

/** A person's account goes when their last connection has gone: looked at again while some are left. */
const leaveJob = defineJob({
  name: 'connections.leave-with-person',
  payload: z.strictObject({ userId: z.string() }),
  policy: 'stately',
  handle: async (app, payload) => {
    const isDone = await disconnectAll(app, payload.userId as UserId);
    if (!isDone) await app.jobs.send(leaveJob, payload, { key: payload.userId, startAfterMs: lookAgainMs });
  },
});

export const jobs = [revokeJob, leaveJob];
export const listeners = [
  followWithin(accountSuspended, (_app, tx, heard) => suspendAccounts(tx, heard, true)),
  followWithin(accountResumed, (_app, tx, heard) => suspendAccounts(tx, heard, false)),
  followWithin(zoneChanged, async (_app, tx, heard) => {
    const userId = heard.userId as UserId;
    await followOwner(tx, userId, await loadOwnerZone(tx, userId));
  }),
  listenTo(accountLeaving, leaveJob, (heard) => ({ payload: heard, key: heard.userId })),
  listenTo(connectionGone, leaveJob, ({ userId }) => ({ payload: { userId }, key: userId })),
];
