import { findUser } from '#features/accounts/public.ts';
import type { TeamInvitationId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { teamsTopic } from './events.ts';
import { invitationGone } from './rules/invitation-gone.ts';
import { spendInvitation } from './store/invitations.ts';
import { insertDeed } from './store/trail.ts';
import { tellMembers } from './tell-members.ts';

/** Says no. *Errors*: AppError not-found. */
export async function declineInvitation(
  app: Pick<App, 'db' | 'feed'>,
  { userId }: Actor,
  id: TeamInvitationId,
): Promise<void> {
  const user = await findUser(app.db, userId);
  await inTransaction(app.db, async (tx) => {
    const spent = user?.email_verified_at ? await spendInvitation(tx, id, user.email) : null;
    if (spent === null) throw invitationGone();
    const { teamId, email } = spent;
    await insertDeed(tx, { teamId, kind: 'invitation-declined', actorId: null, details: { email } });
    await tellMembers(app, tx, teamId);
    await app.feed.publish(tx, userId, teamsTopic);
  });
}
