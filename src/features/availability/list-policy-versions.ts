import type { Output } from '#kernel/contract.ts';
import type { PolicyId } from '#kernel/ids.ts';
import { printInstant } from '#kernel/time/local.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { availabilityContract } from './contract.ts';
import { noPolicy } from './rules/policy-errors.ts';
import { listVersions } from './store/policies.ts';

const mostVersions = 100;

/** What a policy said over time, newest first. *Errors*: not-found. */
export async function listPolicyVersions(
  { db }: Pick<App, 'db'>,
  { userId }: Actor,
  policyId: PolicyId,
): Promise<Output<typeof availabilityContract.listVersions>> {
  const versions = await listVersions(db, userId, policyId, mostVersions);
  if (versions.length === 0) throw noPolicy();
  return {
    versions: versions.map(({ n, hours, note, createdMs }) => ({
      version: n,
      hours,
      note,
      saved_at: printInstant(createdMs),
    })),
  };
}
