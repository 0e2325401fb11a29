import { AppError } from '#kernel/errors.ts';
import type { TeamId, TeamInvitationId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { findInvitation, type Invitation } from './store/invitations.ts';

/** *Errors*: AppError not-found. */
export async function demandInvitation(tx: Tx, teamId: TeamId, id: TeamInvitationId): Promise<Invitation> {
  const invitation = await findInvitation(tx, teamId, id);
  if (invitation === null)
    throw new AppError('not-found', 'NOT_FOUND', 'This invitation was answered or withdrawn meanwhile.');
  return invitation;
}
