import { type Host, hostsReading, isLeaving } from '#features/accounts/public.ts';
import { requireAllowance } from '#features/billing/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import { compareNames } from '#kernel/languages.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { joinReadings, type Reading, readAlone } from '#platform/reading.ts';
import { memberLeft, memberRoleChanged, teamsTopic } from './events.ts';
import { type GivenRole, may, mostTeams, type TeamPermission, teamRoles } from './rules.ts';
import {
  deleteMember,
  findMembership,
  listMemberIds,
  listTeamsOf,
  type MemberRow,
  type Membership,
  memberIdsOf,
  memberRowsReading,
  type Shares,
  setMemberRole,
  setShares,
} from './store/members.ts';
import { lockTeam, markDeleted } from './store/teams.ts';
import { insertDeed } from './store/trail.ts';

/** A member of a team with their profile. */
export interface Member extends MemberRow, Host {}

/** Members of a team: the owner first, then by role and name. */
export function listMembers(db: Database, teamId: TeamId): Promise<Member[]> {
  return readAlone(db, membersReading(teamId));
}

export function membersReading(teamId: TeamId): Reading<Member[]> {
  return joinReadings([memberRowsReading(teamId), hostsReading(memberIdsOf(teamId))], ([rows, people]) => {
    const rowOf = new Map(rows.map((row) => [row.userId, row]));
    return people
      .flatMap((person) => {
        const row = rowOf.get(person.userId);
        return row === undefined ? [] : { ...person, ...row };
      })
      .toSorted(
        (one, other) =>
          teamRoles.indexOf(one.role) - teamRoles.indexOf(other.role) || compareNames(one.name, other.name),
      );
  });
}

/**
 * A member who can be changed or removed, which excludes the owner.
 * *Errors*: AppError not-found, conflict (`IS_OWNER`).
 */
export async function getMember(tx: Tx, teamId: TeamId, userId: UserId): Promise<Membership> {
  const member = await findMembership(tx, userId, teamId);
  if (member === null) throw new AppError('not-found', 'NOT_FOUND', "This person isn't in the team.");
  if (member.role === 'owner')
    throw new AppError('conflict', 'IS_OWNER', 'This person owns the team. Transfer ownership first.');
  return member;
}

/**
 * The user's membership, if its role has the permission. Other users cannot tell that the team exists. Transactions that change
 * something pass `lock`, before all other locks: a concurrent demotion waits, or the change is refused.
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
  if (membership === null) throw new AppError('not-found', 'NOT_FOUND', "Team not found, or you're not a member.");
  if (!may(membership.role, permission))
    throw new AppError(
      'forbidden',
      'FORBIDDEN',
      "Your role in this team doesn't allow this. Ask the team's owner or an admin.",
    );
  return membership;
}

/**
 * A change in a team by somebody who may do it: one after the other, so that their role is what it was when they are done,
 * and every member's screen hears of it. *Errors*: as `requirePermission`, and those of the change.
 */
export function actInTeam<T>(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  teamId: TeamId,
  permission: TeamPermission,
  change: (tx: Tx, membership: Membership) => Promise<T>,
): Promise<T> {
  return inTransaction(app.db, async (tx) => {
    if (!(await lockTeam(tx, teamId)))
      throw new AppError('not-found', 'NOT_FOUND', "Team not found, or you're not a member.");
    const membership = await requirePermission(tx, actor, teamId, permission);
    await notifyMembers(app, tx, teamId); // before: who goes hears of it too
    return change(tx, membership);
  });
}

/** Changes the role of a member. *Errors*: as `requirePermission`; AppError not-found, conflict (`IS_OWNER`). */
export function changeMemberRole(
  app: Pick<App, 'db' | 'feed' | 'news'>,
  actor: Actor,
  teamId: TeamId,
  { userId, role }: { userId: UserId; role: GivenRole },
): Promise<void> {
  return actInTeam(app, actor, teamId, 'manage-members', async (tx) => {
    const before = await getMember(tx, teamId, userId);
    if (before.role === role) return;
    await setMemberRole(tx, teamId, userId, role);
    await insertDeed(tx, {
      teamId,
      kind: 'role-changed',
      actorId: actor.userId,
      subjectId: userId,
      details: { from: before.role, to: role },
    });
    await app.news.announce(tx, memberRoleChanged, { teamId, userId, role });
  });
}

/** Sets how much other members see of the caller's calendars. *Errors*: as `requirePermission`. */
export function changeSharing(
  app: Pick<App, 'db' | 'feed'>,
  actor: Actor,
  teamId: TeamId,
  shares: Shares,
): Promise<void> {
  return actInTeam(app, actor, teamId, 'see-team', async (tx, before) => {
    if (before.shares === shares) return;
    await setShares(tx, teamId, actor.userId, shares);
    await insertDeed(tx, { teamId, kind: 'sharing-changed', actorId: actor.userId, details: { shares } });
  });
}

/**
 * A member leaves or is removed. Listeners hand over their work for the team.
 * *Errors*: as `requirePermission`; AppError not-found, conflict (`IS_OWNER`).
 */
export function removeMember(
  app: Pick<App, 'db' | 'feed' | 'news'>,
  actor: Actor,
  teamId: TeamId,
  userId: UserId,
): Promise<void> {
  const leaves = userId === actor.userId;
  return actInTeam(app, actor, teamId, leaves ? 'see-team' : 'manage-members', async (tx) => {
    await getMember(tx, teamId, userId);
    await deleteMember(tx, teamId, userId);
    await insertDeed(tx, {
      teamId,
      kind: leaves ? 'member-left' : 'member-removed',
      actorId: actor.userId,
      subjectId: userId,
    });
    await app.news.announce(tx, memberLeft, { teamId, userId, why: leaves ? 'left' : 'removed' });
  });
}

/**
 * A person's account goes: they are in no team any more, and a team that they own is over, as nobody was asked to take
 * it. The database ends it as well, should they be gone before this runs.
 */
export async function leaveAllTeams(app: Pick<App, 'db' | 'feed' | 'news'>, userId: UserId): Promise<void> {
  if (!(await isLeaving(app.db, userId))) return;
  for (const { id: teamId, role } of await listTeamsOf(app.db, userId)) {
    await inTransaction(app.db, async (tx) => {
      if (!(await lockTeam(tx, teamId))) return;
      await notifyMembers(app, tx, teamId);
      if (role === 'owner') {
        await markDeleted(tx, teamId);
        await insertDeed(tx, { teamId, kind: 'team-deleted', actorId: null });
      }
      await deleteMember(tx, teamId, userId);
      await insertDeed(tx, { teamId, kind: 'member-left', actorId: null });
      await app.news.announce(tx, memberLeft, { teamId, userId, why: 'leaver' });
    });
  }
}

/** The open screens of everybody in a team look again. */
export async function notifyMembers(app: Pick<App, 'feed'>, tx: Tx, teamId: TeamId): Promise<void> {
  await app.feed.publishToAll(tx, await listMemberIds(tx, teamId), teamsTopic);
}

/**
 * Requires that a person can join one more team. The caller has locked the account. *Errors*: AppError conflict
 * (`TOO_MANY`).
 */
export async function demandRoom(tx: Tx, userId: UserId): Promise<void> {
  if ((await listTeamsOf(tx, userId)).length >= mostTeams)
    throw new AppError('conflict', 'TOO_MANY', `You can be in up to ${mostTeams} teams. Leave one you no longer need.`);
}

/** One more team that somebody owns, in the transaction that makes it theirs. *Errors*: as `requireAllowance`. */
export function requireTeamAllowance(app: Pick<App, 'config' | 'clock'>, tx: Tx, userId: UserId): Promise<void> {
  const count = async () => (await listTeamsOf(tx, userId)).filter(({ role }) => role === 'owner').length;
  return requireAllowance(app, tx, userId, { thing: 'teams', count });
}
