import type { UserId } from '#kernel/ids.ts';
import { hashToken } from '#platform/crypto.ts';
import type { Database } from '#platform/db.ts';
import { type Expression, joinReadings, type Reading, readAlone, readTogether } from '#platform/reading.ts';
import { nameOf } from './rules/profile.ts';
import { findSession, listActiveUsers } from './store/sessions.ts';
import {
  findOwner,
  type Presentable,
  phonesReading,
  presentableReading,
  presentablesReading,
  zonesReading,
} from './store/users.ts';

export { changeFlag } from './change-flag.ts';
export { changeRole } from './change-role.ts';
export { confirmByHand } from './confirm-by-hand.ts';
export { createApiKey } from './create-api-key.ts';
export { createUser } from './create-user.ts';
export { demandFlag } from './demand-flag.ts';
export { demandRecentProof } from './demand-recent-proof.ts';
export { demandSignUp } from './demand-sign-up.ts';
export { endApiKeys } from './end-api-keys.ts';
export { endImpersonation } from './end-impersonation.ts';
export { endLastingAccess } from './end-lasting-access.ts';
export { endSessions } from './end-sessions.ts';
export { exportAccount } from './export-account.ts';
export { finishLeaving } from './finish-leaving.ts';
export { hasSignedInFrom } from './has-signed-in-from.ts';
export { impersonateUser } from './impersonate-user.ts';
export { isFlagOn } from './is-flag-on.ts';
export { leaveForGood } from './leave-for-good.ts';
export { listReadersHere } from './list-readers-here.ts';
export { openSession } from './open-session.ts';
export { recordAccountEvent } from './record-account-event.ts';
export { recordAct } from './record-act.ts';
export { renewSession } from './renew-session.ts';
export { resumeUser } from './resume-user.ts';
export { revokeApiKey } from './revoke-api-key.ts';
export { listApiKeys } from './store/api-keys.ts';
export { type EntriesWanted, type Entry, listEntries } from './store/audit.ts';
export { dropFarewell } from './store/farewells.ts';
export { listFlags } from './store/flags.ts';
export {
  countPeople,
  countSessions,
  findPerson,
  listActorsLike,
  listAddresses,
  listOwnersOf,
  listPeople,
  type Person,
} from './store/people.ts';
export { insertRemains } from './store/remains.ts';
export { blocksHere, requiresAdminMfa } from './store/settings.ts';
export {
  addressIsTaken,
  claimFirst,
  confirmAddress,
  findUser,
  findUserByEmail,
  findUserOrLeaver,
  hasAdministrator,
  hasPageReading,
  hasUsers,
  isLeaving,
  isOnlyAdmin,
  isSuspended,
  listAdministratorIds,
  listAdministrators,
  listReaders,
  listUpdateReaders,
  loadMfaSince,
  lockUser,
  replaceAddress,
  setMfa,
  zonesReading as ownerZonesReading,
} from './store/users.ts';
export { suspendUser } from './suspend-user.ts';
export { tellFeedPublished } from './tell-feed-published.ts';
export { verifyAudit } from './verify-audit.ts';

/**
 * The IANA zone a person lives in: where their all-day events and hours are meant.
 * *Errors*: Error when there is no such person (their rows go with them, so nobody should ask).
 */
export const ownerZoneReading = (userId: UserId): Reading<string> =>
  joinReadings([zonesReading([userId])], ([zones]) => {
    const zone = zones.get(userId);
    if (zone === undefined) throw new Error(`no account ${userId}`);
    return zone;
  });

export const loadOwnerZone = (db: Database, userId: UserId) => readAlone(db, ownerZoneReading(userId));

interface Owner {
  email: string;
  /** Null: hidden from guests. */
  shownEmail: string | null;
  name: string;
  zone: string;
  locale: string;
}

/** A person's address, their name (or what stands before its @), their zone and locale. *Errors*: as `loadOwnerZone`. */
export async function loadOwner(db: Database, userId: UserId): Promise<Owner> {
  const owner = await findOwner(db, userId);
  if (owner === undefined) throw new Error(`no account ${userId}`);
  const { email, hide_email: hidesEmail, zone, locale } = owner;
  return { email, shownEmail: hidesEmail ? null : email, name: nameOf(owner), zone, locale };
}

/** People who have Holdfast open, or had within the last five minutes. */
export function listActiveUserIds(db: Database): Promise<UserId[]> {
  return listActiveUsers(db);
}

/** The person of a session token; null once the session has ended. */
export async function findSignedIn(db: Database, token: string): Promise<UserId | null> {
  const session = await findSession(db, hashToken(token));
  return session?.user_id ?? null;
}

/** A host as guests see them. */
export interface Host {
  userId: UserId;
  /** For us to write to; no guest is shown it. */
  email: string;
  /** The same for guests; null where the host hides it from them. */
  shownEmail: string | null;
  name: string;
  company: string | null;
  zone: string;
  locale: string;
  timeFormat: '12h' | '24h';
  /** Path of their picture. */
  avatarUrl: string | null;
  /** Nothing new is booked with them, and what is done for them waits. */
  suspended: boolean;
}

/** Null for somebody who has no page: not there, leaving, suspended, or an address that they have not proved. */
export function findHost(db: Database, userId: UserId): Promise<Host | null> {
  return readAlone(db, hostReading(userId));
}

/** The same of somebody by their id, or by an expression for it in the asker's own tables. */
export function hostReading(user: UserId | Expression<UserId>): Reading<Host | null> {
  return joinReadings([presentableReading(user)], ([found]) => found && present(found));
}

/** The same of several people, in no order; those who have no page are left out, but for who is suspended. */
export function hostsReading(users: readonly UserId[] | Expression<UserId[]>): Reading<Host[]> {
  return joinReadings([presentablesReading(users)], ([found]) => found.map(present));
}

function present({ id, avatarFile, hidesEmail, ...host }: Presentable): Host {
  return {
    ...host,
    userId: id,
    shownEmail: hidesEmail ? null : host.email,
    name: nameOf(host),
    avatarUrl: avatarFile === null ? null : `/avatars/${avatarFile}`,
  };
}

/** Several hosts in one statement, with the number they can be called at, as they typed it. */
export async function listHosts(
  db: Database,
  userIds: readonly UserId[],
): Promise<Map<UserId, Host & { phone: string | null }>> {
  if (userIds.length === 0) return new Map();
  const [hosts, phones] = await readTogether(db, [hostsReading(userIds), phonesReading(userIds)]);
  return new Map(hosts.map((host) => [host.userId, { ...host, phone: phones.get(host.userId) ?? null }]));
}
