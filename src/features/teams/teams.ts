import { randomUUIDv7 } from 'node:crypto';
import { hostsReading, lockUser } from '#features/accounts/public.ts';
import { findEntitlement } from '#features/billing/public.ts';
import { hasRoom } from '#features/billing/rules.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import { shownName, shownText } from '#kernel/text/shown-text.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { takeAllowance } from '#platform/limits.ts';
import { readAlone, readTogether } from '#platform/reading.ts';
import type { teamsContract } from './contract.ts';
import { listReceivedInvitations } from './invitations.ts';
import {
  actInTeam,
  demandRoom,
  type Member,
  membersReading,
  notifyMembers,
  requirePermission,
  requireTeamAllowance,
} from './members.ts';
import { may } from './rules.ts';
import { invitationsReading, invitersOf } from './store/invitations.ts';
import { insertMember, listDeletedOf, listTeamsOf } from './store/members.ts';
import { insertTeam, lockTeam, markDeleted, markRestored, updateTeam } from './store/teams.ts';
import { insertDeed, listDeedRows, listDeeds, listMemberRows, listSentRows } from './store/trail.ts';
import { transferReading } from './store/transfers.ts';
import { toShownTeam } from './views.ts';

/** The teams of somebody, who invited them, and what they deleted; a constant number of statements. */
export async function listTeams(
  app: Pick<App, 'db' | 'config' | 'clock'>,
  { userId }: Actor,
): Promise<Output<typeof teamsContract.listTeams>> {
  const { db } = app;
  const [teams, deleted, invitations, { limits }] = await Promise.all([
    listTeamsOf(db, userId),
    listDeletedOf(db, userId),
    listReceivedInvitations(db, userId),
    findEntitlement(app, db, userId),
  ]);
  return {
    may_create: hasRoom(limits.teams, teams.filter(({ role }) => role === 'owner').length),
    teams: teams.map(toShownTeam),
    invitations,
    deleted: deleted.map(({ id, name, untilMs }) => ({ id, name, until: untilMs })),
  };
}

type TeamView = Output<typeof teamsContract.readTeam>;

/** A team as the caller may see it, in two statements. *Errors*: as `requirePermission`. */
export async function getTeam({ db }: Pick<App, 'db'>, actor: Actor, teamId: TeamId): Promise<TeamView> {
  const membership = await requirePermission(db, actor, teamId, 'see-team');
  const [members, invitations, inviters, transfer] = await readTogether(db, [
    membersReading(teamId),
    invitationsReading(teamId),
    hostsReading(invitersOf(teamId)),
    transferReading(teamId),
  ]);
  const { role } = membership;
  const nameOf = new Map([...inviters, ...members].map(({ userId, name }) => [userId, name]));
  const seesTransfer = transfer !== null && (role === 'owner' || transfer.userId === actor.userId);
  return {
    team: toShownTeam(membership),
    members: members.map(viewMember),
    invitations: may(role, 'manage-members')
      ? invitations.map(({ id, email, role: asWhat, invitedBy, sentMs, expiresMs }) => ({
          id,
          email,
          role: asWhat,
          invited_by: invitedBy === null ? null : (nameOf.get(invitedBy) ?? null),
          sent_at: sentMs,
          expires_at: expiresMs,
        }))
      : [],
    transfer: seesTransfer
      ? { to: { user_id: transfer.userId, name: nameOf.get(transfer.userId) ?? '' }, asked_at: transfer.askedMs }
      : null,
  };
}

const viewMember = ({ userId, name, email, avatarUrl, zone, role, shares, joinedMs }: Member) => ({
  user_id: userId,
  name,
  email,
  avatar_url: avatarUrl,
  zone,
  role,
  shares,
  joined_at: joinedMs,
});

/** Deleted teams are kept for a while and do not count as teams. */
const perMaker = { action: 'team made, account', burst: 50, periodSeconds: 86_400 };

/** A team whose only member is who makes it. *Errors*: AppError forbidden (`PLAN_LIMIT`), conflict (`TOO_MANY`), limited. */
export async function createTeam(
  app: Pick<App, 'db' | 'feed' | 'config' | 'clock'>,
  { userId }: Actor,
  name: string,
): Promise<TeamId> {
  const teamId = randomUUIDv7() as TeamId;
  await inTransaction(app.db, async (tx) => {
    await lockUser(tx, userId);
    await demandRoom(tx, userId);
    await requireTeamAllowance(app, tx, userId);
    await takeAllowance(tx, perMaker, userId);
    await insertTeam(tx, { id: teamId, name: shownName(name, 'name') });
    await insertMember(tx, { teamId, userId, role: 'owner' });
    await insertDeed(tx, { teamId, kind: 'team-created', actorId: userId });
    await notifyMembers(app, tx, teamId);
  });
  return teamId;
}

/** Changes name and description of a team. *Errors*: as `requirePermission`. */
export function changeTeam(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  teamId: TeamId,
  body: Input<typeof teamsContract.changeTeam>['body'],
): Promise<void> {
  return actInTeam(app, actor, teamId, 'change-team', async (tx, before) => {
    const name = body.name === undefined ? undefined : shownName(body.name, 'name');
    const about = body.about === undefined ? undefined : shownText(body.about);
    if ((name ?? before.name) === before.name && (about ?? before.about) === before.about) return;
    await updateTeam(tx, teamId, { name, about });
    await insertDeed(tx, {
      teamId,
      kind: 'team-changed',
      actorId: actor.userId,
      details: name === undefined || name === before.name ? {} : { from: before.name, to: name },
    });
  });
}

/**
 * The team has no members from now on, and takes no bookings. Existing bookings stay with their hosts.
 * *Errors*: as `requirePermission`; AppError invalid (`WRONG_NAME`).
 */
export function deleteTeam(app: Pick<App, 'db' | 'feed'>, actor: Actor, teamId: TeamId, typed: string): Promise<void> {
  return actInTeam(app, actor, teamId, 'delete-team', async (tx, { name }) => {
    if (typed.normalize('NFC').trim() !== name) {
      const message = "The team name doesn't match. Nothing was deleted.";
      throw new AppError('invalid', 'WRONG_NAME', message, { fields: { name: message } });
    }
    await markDeleted(tx, teamId);
    await insertDeed(tx, { teamId, kind: 'team-deleted', actorId: actor.userId });
  });
}

/** Takes a deletion back, everybody's place included. *Errors*: AppError not-found, conflict (`TOO_MANY`), forbidden (`PLAN_LIMIT`). */
export function restoreTeam(
  app: Pick<App, 'db' | 'feed' | 'config' | 'clock'>,
  { userId }: Actor,
  teamId: TeamId,
): Promise<void> {
  return inTransaction(app.db, async (tx) => {
    await lockUser(tx, userId);
    await demandRoom(tx, userId);
    await requireTeamAllowance(app, tx, userId);
    await lockTeam(tx, teamId, { deleted: true });
    const theirs = await listDeletedOf(tx, userId);
    if (!theirs.some(({ id }) => id === teamId) || !(await markRestored(tx, teamId)))
      throw new AppError('not-found', 'NOT_FOUND', 'Team not found, or deleted too long ago to restore.');
    await insertDeed(tx, { teamId, kind: 'team-restored', actorId: userId });
    await notifyMembers(app, tx, teamId);
  });
}

const perPage = 50;

/** One page of what was done in a team. *Errors*: as `requirePermission`. */
export async function readTeamTrail(
  { db }: Pick<App, 'db'>,
  actor: Actor,
  teamId: TeamId,
  before: number | undefined,
): Promise<Output<typeof teamsContract.readTeamTrail>> {
  await requirePermission(db, actor, teamId, 'see-trail');
  const rows = await listDeeds(db, teamId, { before, most: perPage + 1 });
  const shown = rows.slice(0, perPage);
  const named = shown.flatMap(({ actorId, subjectId }) => [actorId, subjectId].filter((id) => id !== null));
  const people = await readAlone(db, hostsReading([...new Set(named)]));
  const nameOf = new Map(people.map(({ userId, name }) => [userId, name]));
  return {
    entries: shown.map(({ seq, atMs, kind, actorId, subjectId, details }) => ({
      seq,
      at: atMs,
      kind,
      by: actorId === null ? null : (nameOf.get(actorId) ?? null),
      to: subjectId === null ? null : (nameOf.get(subjectId) ?? null),
      details,
    })),
    next: rows.length > perPage ? (shown.at(-1)?.seq ?? null) : null,
  };
}

/** The teams somebody is in, whom they invited, and what they did there; nothing of other members. */
export function exportTeams({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('teams.json', async () => ({
      teams: await listMemberRows(db, userId),
      invitationsSent: await listSentRows(db, userId),
      trail: await listDeedRows(db, userId),
    })),
  ];
}
