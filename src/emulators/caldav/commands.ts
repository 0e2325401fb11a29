import type { Commands } from '#emulators/kit/control.ts';
import type { Emulator } from '#emulators/kit/emulator.ts';
import { moveStart, retitle } from './edit-calendar-text.ts';
import { generateCalendar } from './generate-calendar.ts';
import type { QuirkProfile, Quirks } from './quirks.ts';
import { readCalendarText } from './read-calendar-text.ts';
import {
  addCalendar,
  addUser,
  type Calendar,
  type CalendarObject,
  createWorld,
  putObject,
  removeObject,
  type User,
  type World,
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

/** Actions in another client, or of an operator on the server. `pick`: a file name, a UID, or a position. */
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

export function commandsOf(emulator: Emulator<World>): Commands {
  return {
    reset(command) {
      const { profile, quirks } = command as ResetCommand;
      emulator.world = createWorld(profile, quirks);
    },
    seed: (command) => seed(emulator, command as SeedCommand),
    act: (command) => act(emulator, command as ActCommand),
    snapshot: () => snapshotOf(emulator),
    knobs: (changes) => Object.assign(emulator.world.quirks, changes),
  };
}

function seed(emulator: Emulator<World>, command: SeedCommand): number {
  const { world } = emulator;
  const user = world.users.get(command.user) ?? addUser(world, command.user, command.password ?? 'secret');
  const calendar = user.calendars.get(command.calendar) ?? addCalendar(world, user, command.calendar);
  calendar.displayName = command.displayName ?? calendar.displayName;
  calendar.color = command.color ?? calendar.color;
  calendar.zone = command.zone ?? calendar.zone;
  calendar.readOnly = command.readOnly ?? calendar.readOnly;
  calendar.maxObjects = command.maxObjects ?? calendar.maxObjects;
  const nowMs = emulator.clock.now();
  for (const { name, body } of command.objects ?? []) putObject(world, calendar, name, uidOf(name, body), body, nowMs);
  for (const { name, uid, body } of command.generate ? generateCalendar(command.generate) : []) {
    putObject(world, calendar, name, uid, body, nowMs);
  }
  return calendar.objects.size;
}

function act(emulator: Emulator<World>, command: ActCommand): Record<string, unknown> {
  const { world } = emulator;
  const nowMs = emulator.clock.now();
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
      // the current one too: its holder must list everything
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
function recreate(emulator: Emulator<World>, user: User, calendar: Calendar): void {
  const { displayName, color, zone, readOnly, maxObjects } = calendar;
  const fresh = addCalendar(emulator.world, user, calendar.name, { displayName, color, zone, readOnly, maxObjects });
  for (const { name, uid, body } of calendar.objects.values()) {
    putObject(emulator.world, fresh, name, uid, body, emulator.clock.now());
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

function snapshotOf(emulator: Emulator<World>): Snapshot {
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
