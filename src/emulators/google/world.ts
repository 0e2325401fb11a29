import { hash } from 'node:crypto';
import { defaultKnobs, type Knobs } from './knobs.ts';
import type { StoredEvent } from './stored-event.ts';

export const accessRoles = ['freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner'] as const;
/** From least to most. `writerWithoutPrivateAccess` writes, but sees private events as busy only. */
export type AccessRole = (typeof accessRoles)[number];

export interface Calendar {
  id: string;
  summary: string;
  timeZone: string;
  owner: string;
  backgroundColor: string;
  roles: Map<string, AccessRole>;
  events: Map<string, StoredEvent>;
  /** Ids in the order of their changes; index + 1 = revision. A quiet sync reads none of it. */
  log: string[];
  /** Sync tokens of another epoch are no longer valid: access changed, or storage was migrated. */
  epoch: number;
  /** Holidays and birthdays have no push. */
  canPush: boolean;
  /** Whether its organization allows Meet for its events. */
  canMeet: boolean;
  deleted: boolean;
}

/** A calendar in somebody's list. */
export interface ListEntry {
  calendarId: string;
  summaryOverride: string | null;
  selected: boolean;
  hidden: boolean;
  deleted: boolean;
  etag: string;
}

export interface User {
  email: string;
  name: string;
  /** Stable id of the Google account. */
  sub: string;
  /** Whether its person reads mail there; absent: they do. */
  emailVerified?: boolean;
  list: Map<string, ListEntry>;
  listLog: string[];
  listEpoch: number;
  /** A Workspace session policy wants a fresh sign-in: refreshing fails with `invalid_rapt`. */
  mustReauthenticate: boolean;
}

/** A user's permission for a client. Revoking it invalidates every token below it. */
export interface Grant {
  user: string;
  clientId: string;
  scopes: Set<string>;
  revoked: boolean;
}

export interface RefreshToken {
  grant: Grant;
  issuedAtMs: number;
  usedAtMs: number;
  dead: boolean;
}

export interface AccessToken {
  grant: Grant;
  scopes: string[];
  expiresAtMs: number;
}

export interface AuthorizationCode {
  grant: Grant;
  scopes: string[];
  redirectUri: string;
  challenge: string | null;
  challengeMethod: string;
  nonce: string | null;
  offline: boolean;
  issuedAtMs: number;
  used: boolean;
}

export interface Channel {
  id: string;
  resourceId: string;
  resourceUri: string;
  address: string;
  token: string | null;
  expiresAtMs: number;
  user: string;
  clientId: string;
  /** The watched calendar; null: the user's calendar list. */
  calendarId: string | null;
  messages: number;
  stopped: boolean;
}

/** The whole state. Nothing here reads a clock or a socket: time comes in with each request. */
export interface World {
  knobs: Knobs;
  users: Map<string, User>;
  calendars: Map<string, Calendar>;
  grants: Grant[];
  codes: Map<string, AuthorizationCode>;
  refreshTokens: Map<string, RefreshToken>;
  accessTokens: Map<string, AccessToken>;
  channels: Map<string, Channel>;
  /** Times of the requests of the last minute: by user, and of the project. */
  recent: { byUser: Map<string, number[]>; project: number[] };
  /** Counts up for ids, etags and tokens. */
  serial: number;
}

export function createWorld(): World {
  return {
    knobs: defaultKnobs(),
    users: new Map(),
    calendars: new Map(),
    grants: [],
    codes: new Map(),
    refreshTokens: new Map(),
    accessTokens: new Map(),
    channels: new Map(),
    recent: { byUser: new Map(), project: [] },
    serial: 0,
  };
}

export function nextSerial(world: World): number {
  world.serial += 1;
  return world.serial;
}

/** Quoted, of the length and look that the API gives. */
export function nextEtag(world: World): string {
  return `"3${String(nextSerial(world)).padStart(15, '0')}"`;
}

/** A string that says nothing to a client, and never comes twice. */
export function nextSecret(world: World, prefix: string): string {
  return `${prefix}${hash('sha256', `${prefix}${nextSerial(world)}`, 'base64url')}`;
}

/** The account and its primary calendar, whose id is the address. */
export function addUser(world: World, email: string, name: string, timeZone: string): User {
  const user: User = {
    email,
    name,
    sub: String(BigInt(`0x${hash('sha256', email).slice(0, 16)}`)).padStart(21, '1'),
    list: new Map(),
    listLog: [],
    listEpoch: 0,
    mustReauthenticate: false,
  };
  world.users.set(email, user);
  addCalendar(world, email, { id: email, summary: email, timeZone });
  return user;
}

/** `owner` need not be somebody who signs in here. */
export function addCalendar(
  world: World,
  owner: string,
  more: Partial<Calendar> & Pick<Calendar, 'id' | 'summary' | 'timeZone'>,
): Calendar {
  const calendar: Calendar = {
    owner,
    backgroundColor: '#9fe1e7',
    roles: new Map([[owner, 'owner']]),
    events: new Map(),
    log: [],
    epoch: 0,
    canPush: true,
    canMeet: true,
    deleted: false,
    ...more,
  };
  world.calendars.set(calendar.id, calendar);
  for (const email of calendar.roles.keys()) {
    const user = world.users.get(email);
    if (user) listCalendar(world, user, calendar.id);
  }
  return calendar;
}

/** Puts the calendar into somebody's list, or notes that its entry changed. */
export function listCalendar(world: World, user: User, calendarId: string, change: Partial<ListEntry> = {}): void {
  const entry: ListEntry = {
    calendarId,
    summaryOverride: null,
    selected: true,
    hidden: false,
    deleted: false,
    ...user.list.get(calendarId),
    ...change,
    etag: nextEtag(world),
  };
  user.list.set(calendarId, entry);
  user.listLog.push(calendarId);
}

export function roleOf(calendar: Calendar | undefined, email: string): AccessRole | null {
  if (!calendar || calendar.deleted) return null;
  return calendar.roles.get(email) ?? null;
}

export function isAtLeast(role: AccessRole, least: AccessRole): boolean {
  return accessRoles.indexOf(role) >= accessRoles.indexOf(least);
}

export const canWrite = (role: AccessRole) => isAtLeast(role, 'writerWithoutPrivateAccess');
