import { findUser } from '#features/accounts/users/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { takeAllowance } from '#platform/limits.ts';
import { transferMail } from './mail.ts';
import { actInTeam, getMember, requireTeamAllowance } from './members.ts';
import { replaceOwner } from './store/members.ts';
import { insertDeed } from './store/trail.ts';
import { deleteTransfer, findTransfer, saveTransfer } from './store/transfers.ts';

/** Offers of ownership from one owner to one member. */
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
    await getMember(tx, teamId, userId);
    if ((await findTransfer(tx, teamId)) === userId) return;
    await takeAllowance(tx, perAsked, `${actor.userId} ${userId}`);
    await saveTransfer(tx, teamId, userId);
    await insertDeed(tx, { teamId, kind: 'transfer-asked', actorId: actor.userId, subjectId: userId });
    const [owner, asked] = [await findUser(tx, actor.userId), await findUser(tx, userId)];
    if (owner && asked) await app.mail.send(tx, transferMail(app.config, asked, { teamId, team: name, owner }));
  });
}

/** The team is theirs; who owned it is an admin of it now. *Errors*: as `requirePermission`; AppError not-found, forbidden (`PLAN_LIMIT`). */
export function acceptTransfer(
  app: Pick<App, 'db' | 'feed' | 'config' | 'clock'>,
  actor: Actor,
  teamId: TeamId,
): Promise<void> {
  return actInTeam(app, actor, teamId, 'see-team', async (tx) => {
    if ((await findTransfer(tx, teamId)) !== actor.userId)
      throw new AppError('not-found', 'NOT_FOUND', 'You have no pending request to own this team.');
    await requireTeamAllowance(app, tx, actor.userId);
    await deleteTransfer(tx, teamId);
    await replaceOwner(tx, teamId, actor.userId);
    await insertDeed(tx, { teamId, kind: 'transfer-accepted', actorId: actor.userId });
  });
}

/** By the owner who asked, or by who was asked and says no. *Errors*: as `requirePermission`; AppError not-found. */
export function withdrawTransfer(app: Pick<App, 'db' | 'feed'>, actor: Actor, teamId: TeamId): Promise<void> {
  return actInTeam(app, actor, teamId, 'see-team', async (tx, { role }) => {
    const asked = await findTransfer(tx, teamId);
    const declines = asked === actor.userId;
    if (asked === null || (role !== 'owner' && !declines))
      throw new AppError('not-found', 'NOT_FOUND', 'This team has no pending ownership request.');
    await deleteTransfer(tx, teamId);
    const kind = declines ? 'transfer-declined' : 'transfer-withdrawn';
    await insertDeed(tx, { teamId, kind, actorId: actor.userId, subjectId: asked });
  });
}
