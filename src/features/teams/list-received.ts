import { findUser, hostsReading } from '#features/accounts/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { readAlone } from '#platform/reading.ts';
import type { teamsContract } from './contract.ts';
import { listInvited } from './store/invitations.ts';

/** Who asks somebody to join, at the address that they have shown to be theirs. */
export async function listReceived(
  db: Database,
  userId: UserId,
): Promise<Output<typeof teamsContract.listTeams>['invitations']> {
  const user = await findUser(db, userId);
  const invited = user?.email_verified_at ? await listInvited(db, user.email) : [];
  const inviters = await readAlone(db, hostsReading(invited.flatMap(({ invitedBy }) => invitedBy ?? [])));
  const nameOf = new Map(inviters.map((one) => [one.userId, one.name]));
  return invited.map(({ id, team, role, invitedBy, expiresMs }) => ({
    id,
    team,
    role,
    invited_by: invitedBy === null ? null : (nameOf.get(invitedBy) ?? null),
    expires_at: expiresMs,
  }));
}
