import { AppError } from '#kernel/errors.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { may, type TeamPermission } from './rules/permissions.ts';
import { findMembership, type Membership } from './store/members.ts';

/**
 * Somebody's place in a team, where it allows them this. Whoever is not in it learns nothing of it. The transaction of a change
 * asks for a `lock`, before all other locks: a demotion then comes after the change, or the change is refused.
 * *Errors*: AppError not-found, forbidden (`FORBIDDEN`).
 */
export async function requirePermission(
  db: Database,
  { userId }: { userId: UserId },
  teamId: TeamId,
  permission: TeamPermission,
  how: 'read' | 'lock' = 'read',
): Promise<Membership> {
  const membership = await findMembership(db, userId, teamId, how);
  if (membership === null) throw new AppError('not-found', 'NOT_FOUND', 'There is no such team, or you are not in it.');
  if (!may(membership.role, permission))
    throw new AppError(
      'forbidden',
      'FORBIDDEN',
      'Your role in this team does not allow this. Nothing was changed; ask its owner or an admin.',
    );
  return membership;
}
