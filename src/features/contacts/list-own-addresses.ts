import { listHosts, loadOwner } from '#features/accounts/public.ts';
import { listAddressesOf } from '#features/connections/public.ts';
import { listTeammates } from '#features/teams/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** A person's own addresses and those of whom they are in teams with: no contacts of theirs. In lower case. */
export async function listOwnAddresses(db: Database, userId: UserId): Promise<Set<string>> {
  const mates = await listTeammates(db, userId);
  const people = [...new Set([userId, ...mates.map((one) => one.userId)])];
  const [owner, hosts, addresses] = await Promise.all([
    loadOwner(db, userId),
    listHosts(db, people),
    listAddressesOf(db, people),
  ]);
  return new Set([
    owner.email.toLowerCase(),
    ...[...hosts.values()].map(({ email }) => email.toLowerCase()),
    ...addresses,
  ]);
}
