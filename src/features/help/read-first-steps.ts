import { listPolicies } from '#features/availability/public.ts';
import { listTypesOf } from '#features/booking/public.ts';
import { listConnections } from '#features/connections/public.ts';
import { hasMirroring } from '#features/sync/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { helpContract } from './contract.ts';
import { findFirstSteps } from './store/first-steps.ts';

/** What is done is seen from what there is, however it was made; only what leaves no trace is noted. */
export async function readFirstSteps(
  { db }: Pick<App, 'db'>,
  userId: UserId,
): Promise<Output<typeof helpContract.readFirstSteps>> {
  const [connections, mirrored, policies, types, noted] = await Promise.all([
    listConnections(db, userId),
    hasMirroring(db, userId),
    listPolicies(db, userId),
    listTypesOf(db, { userId, teamId: null }),
    findFirstSteps(db, userId),
  ]);
  return {
    connected: connections.some(({ provider }) => provider !== 'holdfast'),
    mirrored,
    hours: policies.length > 0,
    link: types.length > 0,
    ...noted,
  };
}
