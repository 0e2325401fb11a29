import { type CaldavEmulator, createCaldav } from '../../src/emulators/caldav/emulator.ts';
import type { QuirkProfile } from '../../src/emulators/caldav/quirks.ts';
import {
  addCalendar,
  addUser,
  type Calendar,
  type CalendarObject,
  putObject,
  removeObject,
  type User,
} from '../../src/emulators/caldav/world.ts';
import { createClock } from '../../src/emulators/kit/clock.ts';
import { listen } from '../../src/emulators/kit/listen.ts';
import { connectionsContract } from '../../src/features/connections/contract.ts';
import { syncContract } from '../../src/features/sync/contract.ts';
import type { CalendarId } from '../../src/kernel/ids.ts';
import { type FixedClock, fixedClock } from './fixed-clock.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import { signUpUser, type TestUser } from './test-client.ts';
import type { TestDatabase } from './test-cluster.ts';

/** A side of a mirror: one CalDAV account with one calendar, and what its user may do there. */
export interface Side {
  user: User;
  calendar: Calendar;
  calendarId: CalendarId;
  accountId: string;
  /** The user writes an object; `body` is the inside of a VEVENT, or several whole components. */
  put(name: string, body: string): void;
  remove(name: string): void;
  /** Objects in the calendar, our blocks included. */
  objects(): CalendarObject[];
  /** Only what we wrote. */
  blocks(): CalendarObject[];
}

export interface SyncWorld {
  server: TestApp;
  person: TestUser;
  emulator: CaldavEmulator;
  /** URL of the emulator; its control plane is below `/_emu/`. */
  emulatorUrl: string;
  clock: FixedClock;
  left: Side;
  right: Side;
  /** Connects one more account; `pass` reads it too, groups are left as they are. */
  openSide(name: string): Promise<Side>;
  /** Reads every calendar and lets everything that follows from it happen. */
  pass(): Promise<void>;
  /** Requests since the last call that changed something. */
  writes(): number;
  close(): Promise<void>;
}

export interface SyncWorldOptions {
  profile?: QuirkProfile;
  now?: string;
  /** Zones of calendars by the name of their side; New York by default. */
  zones?: Readonly<Record<string, string>>;
  /** Further hosts of this machine that may be called. */
  allowPrivate?: string[];
  /** To share with another app, which may go on where this one has ended. */
  database?: TestDatabase;
  encryptionKeys?: string;
}

/** Product and two accounts of an emulated CalDAV server, connected over HTTP, mirrored both ways. */
export async function startSyncWorld(options: SyncWorldOptions = {}): Promise<SyncWorld> {
  const clock = fixedClock(options.now ?? '2027-03-01T09:00:00Z');
  const caldav = createCaldav(
    createClock(null, () => clock.nowMs()),
    options.profile,
  );
  const { emulator } = caldav;
  const listening = await listen(caldav);
  const { host } = new URL(listening.url);
  const { database, encryptionKeys } = options;
  const server = await startTestApp({
    clock,
    config: { caldavAllowPrivate: [host, ...(options.allowPrivate ?? [])] },
    ...(database === undefined ? {} : { database }),
    ...(encryptionKeys === undefined ? {} : { encryptionKeys }),
  });
  const person = await signUpUser(server, 'person@example.org');
  const connections = person.as(connectionsContract);
  const sync = person.as(syncContract);

  const openSide = async (name: string): Promise<Side> => {
    const user = addUser(emulator.world, name, 'secret');
    const calendar = addCalendar(emulator.world, user, 'work', {
      displayName: `${name} work`,
      zone: options.zones?.[name] ?? 'America/New_York',
    });
    const { account } = await connections.connectCaldav({
      body: { profile: 'generic', url: listening.url, username: name, password: 'secret' },
    });
    const { calendars } = await connections.listIntegrationCalendars();
    const own = calendars.find((one) => one.accountId === account.accountId);
    if (own === undefined) throw new Error('the account has no calendar');
    const put = (file: string, body: string) => {
      const text = wholeCalendar(body);
      putObject(emulator.world, calendar, file, /UID:(.*)\r\n/.exec(text)?.[1] ?? file, text, clock.nowMs());
    };
    const side: Side = {
      user,
      calendar,
      calendarId: own.calendarId as CalendarId,
      accountId: account.accountId,
      put,
      remove: (file) => removeObject(calendar, file, clock.nowMs()),
      objects: () => [...calendar.objects.values()],
      blocks: () => [...calendar.objects.values()].filter((object) => object.body.includes('X-HOLDFAST-MIRROR')),
    };
    return side;
  };
  const left = await openSide('left');
  const right = await openSide('right');
  await sync.createGroup({
    body: {
      name: 'All',
      enabled: true,
      rule: {},
      members: [left, right].map(({ calendarId }) => ({ calendarId, isSource: true, isTarget: true })),
      pairs: [],
    },
  });
  let seen = 0;
  const world: SyncWorld = {
    server,
    person,
    emulator,
    emulatorUrl: listening.url,
    clock,
    left,
    right,
    openSide,
    async pass() {
      const { accounts } = await connections.listAccounts();
      for (const { accountId, disconnecting, needsReconnect, provider } of accounts) {
        if (!disconnecting && (!needsReconnect || provider === 'ics'))
          await sync.syncAccount({ params: { accountId } });
      }
      await server.settle();
    },
    writes() {
      const since = emulator.ledger.slice(seen);
      seen = emulator.ledger.length;
      return since.filter((entry) => ['PUT', 'DELETE'].includes(entry.method)).length;
    },
    async close() {
      await server.close();
      await listening.close();
    },
  };
  await server.settle();
  return world;
}

/** A VCALENDAR around what the test cares about. */
export function wholeCalendar(body: string): string {
  const inside = body
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim());
  const events = inside[0]?.startsWith('BEGIN:') ? inside : ['BEGIN:VEVENT', ...inside, 'END:VEVENT'];
  const stamped = events.flatMap((line) => (line === 'BEGIN:VEVENT' ? [line, 'DTSTAMP:20270101T000000Z'] : [line]));
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...stamped, 'END:VCALENDAR', ''].join('\r\n');
}
