import { findUser } from '#features/accounts/public.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { takeAllowance } from '#platform/limits.ts';
import { actInTeam } from './act-in-team.ts';
import { findMember } from './find-member.ts';
import { transferMail } from './mail.ts';
import { insertDeed } from './store/trail.ts';
import { findTransfer, saveTransfer } from './store/transfers.ts';

/** A member is asked to own teams so often, whoever asks. */
const perAsked = { action: 'transfer of a team, member', burst: 3, periodSeconds: 86_400 };

/**
 * Asks a member to own the team; nothing changes until they say yes. Asked twice, they get one mail.
 * *Errors*: as `requirePermission`; AppError not-found, conflict (`IS_OWNER`), limited.
 */
export function offerTeam(
  app: Pick<App, 'db' | 'feed' | 'mail' | 'config'>,
  actor: Actor,
  teamId: TeamId,
  userId: UserId,
): Promise<void> {
  return actInTeam(app, actor, teamId, 'transfer-team', async (tx, { name }) => {
    await findMember(tx, teamId, userId);
    if ((await findTransfer(tx, teamId)) === userId) return;
    await takeAllowance(tx, perAsked, userId);
    await saveTransfer(tx, teamId, userId);
    await insertDeed(tx, { teamId, kind: 'transfer-asked', actorId: actor.userId, subjectId: userId });
    const [owner, asked] = [await findUser(tx, actor.userId), await findUser(tx, userId)];
    if (owner && asked) await app.mail.send(tx, transferMail(app.config, asked, { teamId, team: name, owner }));
  });
}
