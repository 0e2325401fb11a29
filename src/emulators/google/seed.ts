import { dayMs } from '#kernel/time/civil.ts';
import { parseLocalDate, printLocalDate } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { demoAccount } from './demo-account.ts';
import { find } from './find-event.ts';
import { type GenerateOptions, generateEvents } from './generate-events.ts';
import type { StoredEvent } from './stored-event.ts';
import { type AccessRole, addCalendar, addUser, type Calendar, listCalendar, type World } from './world.ts';
import { type EventBody, insertEvent, patchEvent, removeEvent } from './write-event.ts';

/**
 * An event in few words. `start` is a date, or a wall-clock time in the calendar's zone; `end`, `minutes` or `days`
 * say how long (an hour, or a day, where nothing does). Anything else is as the API has it.
 */
export type SeedEvent = Omit<EventBody, 'start' | 'end'> & {
  start: string;
  end?: string;
  minutes?: number;
  days?: number;
  /** Changed instances by original start in the form of `start`: a patch, or null for cancelled. */
  instances?: Record<string, (EventBody & { start?: string; minutes?: number }) | null>;
};

export interface SeedCalendar {
  /** Absent: the account's primary calendar. */
  id?: string;
  summary?: string;
  timeZone?: string;
  backgroundColor?: string;
  canPush?: boolean;
  canMeet?: boolean;
  /** Owner of a calendar that is shared with the account under `role`. */
  owner?: string;
  role?: AccessRole;
  events?: SeedEvent[];
  generate?: GenerateOptions;
}

export interface SeedCommand {
  /** Address of the account, created if unknown. */
  account: string;
  name?: string;
  timeZone?: string;
  /** Whether its person reads mail there; default true. */
  emailVerified?: boolean;
  calendars?: SeedCalendar[];
  /** Weeks of plausible events around today, in three calendars. */
  demo?: boolean;
}

/** Adds the data of tests and the demo. No notification is sent. */
export function seedAccount(world: World, command: SeedCommand, nowMs: number): { events: number } {
  const zone = command.timeZone ?? 'Europe/Berlin';
  const name = command.name ?? command.account;
  if (command.demo) {
    // an account that is connected again keeps its history
    if (world.calendars.get(command.account)?.log.length) return { events: 0 };
    const today = printLocalDate((loadZone(zone) ?? utc).toLocal(nowMs));
    return seedAccount(world, demoAccount(command.account, name, zone, today), nowMs);
  }
  const user = world.users.get(command.account) ?? addUser(world, command.account, name, zone);
  if (command.emailVerified !== undefined) user.emailVerified = command.emailVerified;
  let events = 0;
  for (const wanted of command.calendars ?? []) {
    const calendar = openSeeded(world, command.account, wanted, zone);
    if (wanted.owner !== undefined && wanted.owner !== user.email) {
      calendar.roles.set(user.email, wanted.role ?? 'reader');
      listCalendar(world, user, calendar.id, { deleted: false });
    }
    const bodies = [...(wanted.events ?? []), ...(wanted.generate ? generateEvents(wanted.generate) : [])];
    for (const event of bodies) seedEvent(world, calendar, event, nowMs, calendar.owner);
    events += bodies.length;
  }
  return { events };
}

function openSeeded(world: World, account: string, wanted: SeedCalendar, zone: string): Calendar {
  const id = wanted.id ?? account;
  const known = world.calendars.get(id);
  const {
    summary = known?.summary ?? id,
    timeZone = known?.timeZone ?? zone,
    backgroundColor,
    canPush,
    canMeet,
  } = wanted;
  const more = {
    summary,
    timeZone,
    ...(backgroundColor && { backgroundColor }),
    ...(canPush !== undefined && { canPush }),
    ...(canMeet !== undefined && { canMeet }),
  };
  if (known) return Object.assign(known, more);
  return addCalendar(world, wanted.owner ?? account, { id, ...more });
}

export function seedEvent(
  world: World,
  calendar: Calendar,
  seed: SeedEvent,
  nowMs: number,
  author: string,
): StoredEvent {
  const { instances } = seed;
  const { eventType, ...body } = bodyOf(seed, calendar.timeZone);
  const wanted = { ...body, ...(eventType !== 'fromGmail' && eventType !== undefined && { eventType }) };
  const stored = insertEvent(world, calendar, wanted, nowMs, author);
  // Google makes these itself; nobody else can.
  if (eventType === 'fromGmail') stored.fields.eventType = 'fromGmail';
  for (const [at, change] of Object.entries(instances ?? {})) {
    const instance = find(calendar, `${stored.id}_${stampOf(at, calendar.timeZone)}`);
    if (change === null) removeEvent(world, calendar, instance, nowMs);
    else patchEvent(world, calendar, instance, patchOf(change, calendar.timeZone), nowMs, 'organizer');
  }
  return stored;
}

/** `2027-03-08` as `20270308`, `2027-03-08T09:00` as its instant in UTC. */
export function stampOf(at: string, zone: string): string {
  if (at.length === 10) return at.replaceAll('-', '');
  const instant = at.endsWith('Z')
    ? Temporal.Instant.from(at)
    : Temporal.PlainDateTime.from(at).toZonedDateTime(zone).toInstant();
  return instant.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
}

/** A seed's words as a body of the API. */
function bodyOf({ start, end, minutes, days, ...rest }: SeedEvent, zone: string): EventBody {
  return { ...rest, ...timesOf(start, zone, end, minutes, days) };
}

function patchOf(change: EventBody & { start?: string; minutes?: number }, zone: string): EventBody {
  const { start, minutes, ...rest } = change;
  return typeof start === 'string' ? { ...rest, ...timesOf(start, zone, undefined, minutes) } : rest;
}

function timesOf(start: string, zone: string, end?: string, minutes = 60, days = 1): EventBody {
  if (start.length === 10) {
    const last = end ?? printLocalDate((parseLocalDate(start) ?? 0) + days * dayMs);
    return { start: { date: start }, end: { date: last } };
  }
  const from = Temporal.PlainDateTime.from(start);
  const to = end === undefined ? from.add({ minutes }) : Temporal.PlainDateTime.from(end);
  const edge = (at: Temporal.PlainDateTime) => ({ dateTime: at.toString({ smallestUnit: 'second' }), timeZone: zone });
  return { start: edge(from), end: edge(to) };
}
