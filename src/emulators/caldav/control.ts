import { moveStart, retitle } from './edit-calendar-text.ts';
import type { Emulator, Hold, Outcome, Release } from './emulator.ts';
import { jsonReply, type Reply } from './exchange.ts';
import type { FaultRule } from './faults.ts';
import { generateCalendar } from './generate-calendar.ts';
import type { QuirkProfile, Quirks } from './quirks.ts';
import { readCalendarText } from './read-calendar-text.ts';
import {
  addCalendar,
  addUser,
  type Calendar,
  type CalendarObject,
  putObject,
  removeObject,
  type User,
} from './world.ts';

export interface ResetCommand {
  profile?: QuirkProfile;
  quirks?: Partial<Quirks>;
}

export interface SeedCommand {
  user: string;
  /** Set when the user is made; default `secret`. */
  password?: string;
  calendar: string;
  displayName?: string;
  color?: string;
  zone?: string;
  readOnly?: boolean;
  maxObjects?: number;
  objects?: { name: string; body: string }[];
  generate?: { count: number; fromDay: string; days?: number; seed?: number; prefix?: string };
}

/** What somebody does in another client, or an operator to the server. `pick`: a file name, a UID, or a position. */
export type ActCommand = { user: string; calendar: string } & (
  | { do: 'put'; name: string; body: string }
  | { do: 'delete'; pick: string | number }
  | { do: 'retitle'; pick: string | number; title: string }
  | { do: 'move'; pick: string | number; minutes: number }
  | { do: 'expire-tokens' }
  | { do: 'recreate-calendar' }
  | { do: 'remove-calendar' }
  | { do: 'change'; readOnly?: boolean; maxObjects?: number | null; displayName?: string }
  | { do: 'change-password'; password: string }
);

export interface Snapshot {
  users: Record<string, { calendars: Record<string, SnapshotCalendar> }>;
}

export interface SnapshotCalendar {
  displayName: string;
  readOnly: boolean;
  revision: number;
  objects: Record<string, { uid: string; etag: string; body: string }>;
}

interface ParkingPlace {
  hold: Hold | null;
  released: boolean;
  /** Takes the outcome of the release back to the socket that waits for it. */
  resume: ((outcome: Outcome) => void) | null;
  waiting: ((reply: Reply) => void)[];
}

export interface Control {
  /** Answers a call below `/_emu/`; the wait for a held request answers when it comes. */
  handle(method: string, path: string, query: URLSearchParams, body: string, done: (reply: Reply) => void): void;
  /** The HTTP side hands a held request over and is called back when it goes on. */
  park(hold: Hold, resume: (outcome: Outcome) => void): void;
}

export function createControl(emulator: Emulator): Control {
  let places = new Map<number, ParkingPlace>();

  const commands: Record<string, (body: unknown, query: URLSearchParams) => Reply> = {
    'POST reset': (body) => {
      const { profile, quirks } = (body ?? {}) as ResetCommand;
      for (const place of places.values())
        if (place.hold && !place.released) place.resume?.(place.hold.release('drop'));
      places = new Map();
      emulator.reset(profile, quirks);
      return jsonReply(200, {});
    },
    'POST seed': (body) => jsonReply(200, { objects: asList(body as SeedCommand).map((it) => seed(emulator, it)) }),
    'POST act': (body) =>
      jsonReply(
        200,
        asList(body as ActCommand).map((it) => act(emulator, it)),
      ),
    'GET snapshot': () => jsonReply(200, snapshotOf(emulator)),
    'POST faults': (body) => jsonReply(200, { ids: asList(body as FaultRule).map((it) => emulator.addFault(it).id) }),
    'GET faults': () => jsonReply(200, emulator.faults),
    'DELETE faults': () => {
      emulator.faults = [];
      return jsonReply(200, {});
    },
    'GET ledger': (_, query) => jsonReply(200, emulator.ledger.slice(Number(query.get('since') ?? 0))),
    'DELETE ledger': () => {
      emulator.ledger = [];
      return jsonReply(200, {});
    },
    'POST latency': (body) => {
      emulator.latencyMs = (body as { ms: number }).ms;
      return jsonReply(200, { ms: emulator.latencyMs });
    },
    'POST hold': (body) => {
      const { id } = emulator.addFault({ ...(body as Omit<FaultRule, 'effect'>), effect: { kind: 'hold' } });
      places.set(id, { hold: null, released: false, resume: null, waiting: [] });
      return jsonReply(200, { id });
    },
  };

  const waitFor = (id: number, done: (reply: Reply) => void): void => {
    const place = places.get(id);
    if (!place) done(jsonReply(404, { error: `no hold ${id}` }));
    else if (place.hold) done(describeHold(place.hold));
    else place.waiting.push(done);
  };

  const release = (id: number, how: Release): Reply => {
    const place = places.get(id);
    if (!place?.hold || place.released) return jsonReply(409, { error: `hold ${id} has nothing parked` });
    place.released = true;
    place.resume?.(place.hold.release(how));
    return jsonReply(200, {});
  };

  return {
    handle(method, path, query, text, done) {
      try {
        const body: unknown = text === '' ? null : JSON.parse(text);
        const hold = /^hold\/(\d+)$/.exec(path);
        if (hold && method === 'GET') return waitFor(Number(hold[1]), done);
        if (hold && method === 'POST') return done(release(Number(hold[1]), (body as { how: Release }).how));
        const command = commands[`${method} ${path}`];
        return done(command ? command(body, query) : jsonReply(404, { error: `no command ${method} ${path}` }));
      } catch (error) {
        return done(jsonReply(400, { error: error instanceof Error ? error.message : String(error) }));
      }
    },
    park(hold, resume) {
      const place = places.get(hold.faultId) ?? { hold: null, released: false, resume: null, waiting: [] };
      places.set(hold.faultId, place);
      place.hold = hold;
      place.released = false;
      place.resume = resume;
      for (const done of place.waiting.splice(0)) done(describeHold(hold));
    },
  };
}

function describeHold({ request }: Hold): Reply {
  return jsonReply(200, { method: request.method, path: request.path, body: request.body });
}

function asList<T>(value: T | T[]): T[] {
  return Array.isArray(value) ? value : [value];
}

function seed(emulator: Emulator, command: SeedCommand): number {
  const { world } = emulator;
  const user = world.users.get(command.user) ?? addUser(world, command.user, command.password ?? 'secret');
  const calendar = user.calendars.get(command.calendar) ?? addCalendar(world, user, command.calendar);
  calendar.displayName = command.displayName ?? calendar.displayName;
  calendar.color = command.color ?? calendar.color;
  calendar.zone = command.zone ?? calendar.zone;
  calendar.readOnly = command.readOnly ?? calendar.readOnly;
  calendar.maxObjects = command.maxObjects ?? calendar.maxObjects;
  const nowMs = emulator.now();
  for (const { name, body } of command.objects ?? []) putObject(world, calendar, name, uidOf(name, body), body, nowMs);
  for (const { name, uid, body } of command.generate ? generateCalendar(command.generate) : []) {
    putObject(world, calendar, name, uid, body, nowMs);
  }
  return calendar.objects.size;
}

function act(emulator: Emulator, command: ActCommand): Record<string, unknown> {
  const { world } = emulator;
  const nowMs = emulator.now();
  const user = world.users.get(command.user);
  if (!user) throw new Error(`no user ${command.user}`);
  const calendar = user.calendars.get(command.calendar);
  if (!calendar) throw new Error(`no calendar ${command.calendar}`);
  switch (command.do) {
    case 'put':
      return {
        name: putObject(world, calendar, command.name, uidOf(command.name, command.body), command.body, nowMs).name,
      };
    case 'delete': {
      const { name } = pick(calendar, command.pick);
      removeObject(calendar, name, nowMs);
      return { name };
    }
    case 'retitle':
    case 'move': {
      const { name, uid, body } = pick(calendar, command.pick);
      const changed = command.do === 'move' ? moveStart(body, command.minutes) : retitle(body, command.title);
      return { name, etag: putObject(world, calendar, name, uid, changed, nowMs).etag };
    }
    case 'expire-tokens':
      // The current one too: whoever held it must list everything.
      calendar.log.push('');
      calendar.loggedAtMs.push(nowMs);
      calendar.oldestToken = calendar.log.length;
      return {};
    case 'recreate-calendar':
      recreate(emulator, user, calendar);
      return {};
    case 'remove-calendar':
      user.calendars.delete(calendar.name);
      return {};
    case 'change':
      calendar.readOnly = command.readOnly ?? calendar.readOnly;
      calendar.displayName = command.displayName ?? calendar.displayName;
      if (command.maxObjects !== undefined) calendar.maxObjects = command.maxObjects;
      return {};
    case 'change-password':
      user.password = command.password;
      return {};
  }
}

/** The same collection made again with the same objects: every token and, with hash tags, no ETag changes. */
function recreate(emulator: Emulator, user: User, calendar: Calendar): void {
  const { displayName, color, zone, readOnly, maxObjects } = calendar;
  const fresh = addCalendar(emulator.world, user, calendar.name, { displayName, color, zone, readOnly, maxObjects });
  for (const { name, uid, body } of calendar.objects.values()) {
    putObject(emulator.world, fresh, name, uid, body, emulator.now());
  }
}

function pick(calendar: Calendar, which: string | number): CalendarObject {
  const object =
    typeof which === 'number'
      ? [...calendar.objects.values()][which]
      : calendar.objects.get(calendar.nameOfUid.get(which) ?? which);
  if (!object) throw new Error(`no object ${which} in ${calendar.name}`);
  return object;
}

function uidOf(name: string, body: string): string {
  return readCalendarText(body).uids[0] ?? name;
}

function snapshotOf(emulator: Emulator): Snapshot {
  const users: Snapshot['users'] = {};
  for (const user of emulator.world.users.values()) {
    const calendars: Record<string, SnapshotCalendar> = {};
    for (const calendar of user.calendars.values()) {
      const objects: SnapshotCalendar['objects'] = {};
      for (const { name, uid, etag, body } of calendar.objects.values()) objects[name] = { uid, etag, body };
      const { displayName, readOnly, log } = calendar;
      calendars[calendar.name] = { displayName, readOnly, revision: log.length, objects };
    }
    users[user.name] = { calendars };
  }
  return { users };
}
