import { randomUUIDv7 } from 'node:crypto';
import { findHost, hostsReading, listReadersHere, lockUser } from '#features/accounts/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { findUser } from '#features/accounts/users/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { TeamId, TeamInvitationId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { readAlone } from '#platform/reading.ts';
import { takeMail } from '#platform/recipients.ts';
import type { teamsContract } from './contract.ts';
import { teamsTopic } from './events.ts';
import { invitationMail } from './mail.ts';
import { actInTeam, demandRoom, listMembers, notifyMembers } from './members.ts';
import { type GivenRole, invitationGone, mostInvited, mostMembers } from './rules.ts';
import {
  countInvitations,
  deleteInvitation,
  findByToken,
  findInvitation,
  findInvited,
  type Invitation,
  listInvited,
  saveInvitation,
  spendInvitation,
} from './store/invitations.ts';
import { insertMember, listMemberIds } from './store/members.ts';
import { lockTeam } from './store/teams.ts';
import { insertDeed } from './store/trail.ts';

/**
 * Asks an address to join, with or without an account: nobody is told which.
 * *Errors*: as `requirePermission`; AppError invalid (`INVALID_INPUT`), conflict (`ALREADY_MEMBER`, `TOO_MANY`), limited.
 */
export function inviteMember(
  app: Pick<App, 'db' | 'feed' | 'mail' | 'config' | 'clock'>,
  actor: Actor,
  teamId: TeamId,
  body: Input<typeof teamsContract.inviteMember>['body'],
): Promise<void> {
  const email = canonicalEmail(body.email);
  return actInTeam(app, actor, teamId, 'manage-members', async (tx, team) => {
    if (email === null) {
      const message = 'Enter a valid email address. The invitation was not sent.';
      throw new AppError('invalid', 'INVALID_INPUT', message, { fields: { email: message } });
    }
    if ((await listMembers(tx, teamId)).some((member) => member.email === email)) {
      const message = 'A team member already uses this address.';
      throw new AppError('conflict', 'ALREADY_MEMBER', message, { fields: { email: message } });
    }
    if ((await countInvitations(tx, teamId)) >= mostInvited)
      throw new AppError(
        'conflict',
        'TOO_MANY',
        `You can have up to ${mostInvited} open invitations. Withdraw one first.`,
      );
    await sendInvitation(app, tx, actor, { team, email, role: body.role });
    await insertDeed(tx, {
      teamId,
      kind: 'member-invited',
      actorId: actor.userId,
      details: { email, role: body.role },
    });
  });
}

const perInviter = { action: 'invitation to a team, inviter', burst: 60, periodSeconds: 86_400 };

/** The same for an account of the last days. Mails of it to people without an account quote no words of it. */
const perNewInviter = { action: 'invitation to a team, new inviter', burst: 15, periodSeconds: 86_400 };
const newAccountMs = 7 * 86_400_000;

/**
 * An invitation with a new link, mailed; the one before to this address is void. It counts for a reader with an account too:
 * no other limit is over all inviters. *Errors*: AppError limited.
 */
async function sendInvitation(
  app: Pick<App, 'config' | 'mail' | 'clock'>,
  tx: Tx,
  { userId }: Actor,
  to: { team: { id: TeamId; name: string }; email: string; role: GivenRole },
): Promise<void> {
  await takeAllowance(tx, perInviter, userId);
  const inviter = await findUser(tx, userId);
  if (inviter === undefined) throw new Error(`no account ${userId}`);
  const token = mintToken();
  const id = randomUUIDv7() as TeamInvitationId;
  const tokenHash = hashToken(token);
  const { email, role, team } = to;
  const invitation = await saveInvitation(tx, { id, teamId: team.id, email, role, tokenHash, invitedBy: userId });
  const isReaderHere = (await listReadersHere(tx, [email])).size > 0;
  const isNew = app.clock.nowMs() - inviter.created_at.epochMilliseconds < newAccountMs && inviter.role !== 'admin';
  if (isNew && !isReaderHere) await takeAllowance(tx, perNewInviter, userId);
  const mail = invitationMail(app.config, {
    invitation,
    tokenHash,
    token,
    team: team.name,
    inviter,
    isReaderHere,
    isQuoted: isReaderHere || !isNew,
  });
  const hasRoom = !isReaderHere || (await takeMail(tx, email, { share: 'named', sender: userId }));
  if (!(hasRoom && (await app.mail.send(tx, mail))))
    throw new AppError(
      'limited',
      'LIMITED',
      'This address has received too many emails. The invitation was not sent. Try again in 24 hours.',
      {
        retryAfterMs: 86_400_000,
      },
    );
}

/** Another mail with a new link. *Errors*: as `requirePermission`; AppError not-found, limited. */
export function resendInvitation(
  app: Pick<App, 'db' | 'feed' | 'mail' | 'config' | 'clock'>,
  actor: Actor,
  teamId: TeamId,
  id: TeamInvitationId,
): Promise<void> {
  return actInTeam(app, actor, teamId, 'manage-members', async (tx, team) => {
    const { email, role } = await getInvitation(tx, teamId, id);
    await sendInvitation(app, tx, actor, { team, email, role });
    await insertDeed(tx, { teamId, kind: 'member-invited', actorId: actor.userId, details: { email, role } });
  });
}

/** Its link is void. *Errors*: as `requirePermission`; AppError not-found. */
export function withdrawInvitation(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  teamId: TeamId,
  id: TeamInvitationId,
): Promise<void> {
  return actInTeam(app, actor, teamId, 'manage-members', async (tx) => {
    const { email } = await getInvitation(tx, teamId, id);
    await deleteInvitation(tx, id);
    await insertDeed(tx, { teamId, kind: 'invitation-withdrawn', actorId: actor.userId, details: { email } });
  });
}

/**
 * Joins, with the address that was invited and no other: reading its mail is what the account was opened with.
 * *Errors*: AppError not-found, conflict (`TOO_MANY`).
 */
export function acceptInvitation(
  app: Pick<App, 'db' | 'feed'>,
  { userId }: Actor,
  id: TeamInvitationId,
): Promise<TeamId> {
  return inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, userId);
    const invited = user?.email_verified_at ? await findInvited(tx, id, user.email) : null;
    if (user === null || invited === null || !(await lockTeam(tx, invited.teamId))) throw invitationGone();
    // nobody acts for a suspended account
    if (invited.invitedBy === null || (await findHost(tx, invited.invitedBy)) === null) throw invitationGone();
    await demandRoom(tx, userId);
    if ((await listMemberIds(tx, invited.teamId)).length >= mostMembers)
      throw new AppError(
        'conflict',
        'TOO_MANY',
        `This team already has ${mostMembers} members. Contact the person who invited you.`,
      );
    const spent = await spendInvitation(tx, id, user.email);
    if (spent === null) throw invitationGone();
    const { teamId, role } = spent;
    if (await insertMember(tx, { teamId, userId, role }))
      await insertDeed(tx, { teamId, kind: 'member-joined', actorId: userId, details: { role } });
    await notifyMembers(app, tx, teamId);
    return teamId;
  });
}

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
    await notifyMembers(app, tx, teamId);
    await app.feed.publish(tx, userId, teamsTopic);
  });
}

/** The invitation of a mailed link. *Errors*: AppError not-found once it was accepted, withdrawn, resent or expired. */
export async function getInvitationOfLink(
  { db }: Pick<App, 'db'>,
  token: string,
): Promise<Output<typeof teamsContract.readInvitation>> {
  const found = await findByToken(db, hashToken(token));
  const inviter = found?.invitedBy == null ? null : await findHost(db, found.invitedBy);
  if (found === null || inviter === null)
    throw new AppError(
      'not-found',
      'NOT_FOUND',
      'This invitation was answered, revoked or replaced, or it has expired. Ask for a new one.',
    );
  const { id, team, logoUrl, role, email, expiresMs } = found;
  return { id, team, logo_url: logoUrl, role, invited_by: inviter.name, email, expires_at: expiresMs };
}

/** Open invitations to the user's confirmed address; not those that `acceptInvitation` refuses for their inviter. */
export async function listReceivedInvitations(
  db: Database,
  userId: UserId,
): Promise<Output<typeof teamsContract.listTeams>['invitations']> {
  const user = await findUser(db, userId);
  const invited = user?.email_verified_at ? await listInvited(db, user.email) : [];
  const inviters = await readAlone(db, hostsReading(invited.flatMap(({ invitedBy }) => invitedBy ?? [])));
  const nameOf = new Map(inviters.filter(({ suspended }) => !suspended).map((one) => [one.userId, one.name]));
  return invited.flatMap(({ id, team, role, invitedBy, expiresMs }) => {
    const invited_by = invitedBy === null ? undefined : nameOf.get(invitedBy);
    return invited_by === undefined ? [] : [{ id, team, role, invited_by, expires_at: expiresMs }];
  });
}

/** An open invitation of a team. *Errors*: AppError not-found. */
async function getInvitation(tx: Tx, teamId: TeamId, id: TeamInvitationId): Promise<Invitation> {
  const invitation = await findInvitation(tx, teamId, id);
  if (invitation === null)
    throw new AppError('not-found', 'NOT_FOUND', 'This invitation was already answered or withdrawn.');
  return invitation;
}
