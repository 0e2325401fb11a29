import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { type Expression, joinReadings, type Reading, readAlone, readTogether } from '#platform/reading.ts';
import { nameOf } from '../rules/profile.ts';
import {
  findOwner,
  type Presentable,
  phonesReading,
  presentableReading,
  presentablesReading,
  zonesReading,
} from '../store/hosts.ts';

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
