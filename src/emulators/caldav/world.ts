import { hash } from 'node:crypto';
import { type QuirkProfile, type Quirks, quirkProfiles } from './quirks.ts';

export interface CalendarObject {
  name: string;
  uid: string;
  etag: string;
  body: string;
  /** Position in the calendar's log at which it last changed. */
  revision: number;
  changedAtMs: number;
}

export interface Calendar {
  name: string;
  displayName: string;
  color: string | null;
  zone: string | null;
  readOnly: boolean;
  maxObjects: number | null;
  /** Differs after the collection was deleted and made again: tokens of the old one are not valid. */
  incarnation: number;
  objects: Map<string, CalendarObject>;
  /** Names of the objects by UID, to find a conflict without a scan. */
  nameOfUid: Map<string, string>;
  /** Names in the order of their changes; index + 1 = revision. A quiet sync reads none of it. */
  log: string[];
  loggedAtMs: number[];
  tombstones: Map<string, number>;
  /** Tokens below are no longer accepted. */
  oldestToken: number;
}

export interface User {
  name: string;
  password: string;
  address: string;
  /** Others may ask when this person is busy. */
  sharesTimes: boolean;
  calendars: Map<string, Calendar>;
}

/** The whole state. Nothing here reads a clock or a socket: time comes in with each request. */
export interface World {
  users: Map<string, User>;
  quirks: Quirks;
  incarnations: number;
}

export function createWorld(profile: QuirkProfile = 'faithful', overrides: Partial<Quirks> = {}): World {
  return { users: new Map(), quirks: { ...quirkProfiles[profile], ...overrides }, incarnations: 0 };
}

export function addUser(world: World, name: string, password: string): User {
  const user: User = { name, password, address: `${name}@example.com`, sharesTimes: true, calendars: new Map() };
  world.users.set(name, user);
  return user;
}

export function addCalendar(world: World, user: User, name: string, more: Partial<Calendar> = {}): Calendar {
  world.incarnations += 1;
  const calendar: Calendar = {
    name,
    displayName: name,
    color: null,
    zone: null,
    readOnly: false,
    maxObjects: null,
    incarnation: world.incarnations,
    objects: new Map(),
    nameOfUid: new Map(),
    log: [],
    loggedAtMs: [],
    tombstones: new Map(),
    oldestToken: 0,
    ...more,
  };
  user.calendars.set(name, calendar);
  return calendar;
}

export function putObject(
  world: World,
  calendar: Calendar,
  name: string,
  uid: string,
  text: string,
  nowMs: number,
): CalendarObject {
  const previous = calendar.objects.get(name);
  if (previous) calendar.nameOfUid.delete(previous.uid);
  const body = storedForm(text, world.quirks.rewritesBody);
  const revision = logChange(calendar, name, nowMs);
  const object = { name, uid, etag: etagOf(world.quirks, previous, body), body, revision, changedAtMs: nowMs };
  calendar.objects.set(name, object);
  calendar.nameOfUid.set(uid, name);
  calendar.tombstones.delete(name);
  return object;
}

export function removeObject(calendar: Calendar, name: string, nowMs: number): void {
  const object = calendar.objects.get(name);
  if (!object) return;
  calendar.objects.delete(name);
  if (calendar.nameOfUid.get(object.uid) === name) calendar.nameOfUid.delete(object.uid);
  calendar.tombstones.set(name, logChange(calendar, name, nowMs));
}

function logChange(calendar: Calendar, name: string, nowMs: number): number {
  calendar.loggedAtMs.push(nowMs);
  return calendar.log.push(name);
}

function etagOf(quirks: Quirks, previous: CalendarObject | undefined, body: string): string {
  if (quirks.etags === 'hash') return `"${hash('md5', body)}"`;
  const count = previous ? Number(previous.etag.slice(4, -1)) + 1 : 0;
  return `"gcs${String(count).padStart(8, '0')}"`;
}

/** The bytes a server gives back are not always those it was given. */
function storedForm(text: string, how: Quirks['rewritesBody']): string {
  if (how === 'no') return text;
  if (how === 'strips-final-line-break') return text.replace(/\r?\n$/, '');
  const lines = text.split(/\r?\n/);
  const prodId = lines.findIndex((line) => line.startsWith('PRODID:'));
  const version = lines.findIndex((line) => line.startsWith('VERSION:'));
  if (prodId > 0 && version > 0 && prodId < version)
    [lines[prodId], lines[version]] = [lines[version]!, lines[prodId]!];
  return lines.join('\r\n');
}
