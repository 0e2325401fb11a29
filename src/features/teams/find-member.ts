import { AppError } from '#kernel/errors.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { findMembership, type Membership } from './store/members.ts';

/**
 * Somebody in a team whom something is to be done to; never its owner.
 * *Errors*: AppError not-found, conflict (`IS_OWNER`).
 */
export async function findMember(tx: Tx, teamId: TeamId, userId: UserId): Promise<Membership> {
  const member = await findMembership(tx, userId, teamId);
  if (member === null) throw new AppError('not-found', 'NOT_FOUND', 'They are not in this team (any more).');
  if (member.role === 'owner')
    throw new AppError('conflict', 'IS_OWNER', 'They own this team. It has to be handed over to somebody first.');
  return member;
}
