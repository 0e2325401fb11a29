import type { RemoteEmulator } from '../../src/emulators/caldav/remote.ts';
import type { GoogleDialect } from '../../src/emulators/google/google.ts';
import type { ControlClient } from '../../src/emulators/kit/control-client.ts';
import type { LedgerEntry } from '../../src/emulators/kit/emulator.ts';
import type { MicrosoftDialect } from '../../src/emulators/microsoft/launch.ts';

/** An account of an emulated provider, as its owner and the tests see it: alike for all three kinds. */
export interface MeshAccount {
  provider: 'google' | 'microsoft' | 'caldav';
  name: string;
  /** As seeds and ledgers name them. */
  calendars: readonly string[];
  /** Makes the account's calendars where they are missing, and puts events there; notifies nobody. */
  seed(calendar: string, events: readonly MeshEvent[]): Promise<void>;
  move(calendar: string, title: string, minutes: number): Promise<void>;
  remove(calendar: string, title: string): Promise<void>;
  standing(): Promise<Map<string, Standing>>;
  /** Calendar requests of this account since that entry of its provider's ledger. */
  requests(since?: number): Promise<MeshRequest[]>;
}

/** An event in UTC; with `weeks` a weekly series of so many. */
export interface MeshEvent {
  /** Alone in its account. */
  title: string;
  start: Temporal.PlainDateTime;
  minutes: number;
  weeks?: number;
  /** The sixth of the series is cancelled, the ninth stands 26 hours later. */
  exceptions?: boolean;
}

export interface Standing {
  /** Number of events that the owner made. */
  own: number;
  /** Start of each object that bears our mark, wall clock in UTC. */
  blocks: string[];
}

export interface MeshRequest {
  atMs: number;
  calendar: string | null;
  kind: 'read' | 'insert' | 'update' | 'delete' | 'push';
  operation: string;
  status: number | null;
}

const cancelledWeek = 5;
const movedWeek = 8;
const movedHours = 26;

const minuteOf = (at: Temporal.PlainDateTime) => at.toString({ smallestUnit: 'minute' });
const movedOf = ({ start }: MeshEvent) => start.add({ weeks: movedWeek, hours: movedHours });

type Kinds = Readonly<Record<string, MeshRequest['kind']>>;

function requestsOf(ledger: readonly LedgerEntry[], account: string, kinds: Kinds): MeshRequest[] {
  return ledger.flatMap(({ atMs, account: whose, calendar, operation, status }) => {
    const kind = kinds[operation];
    return whose === account && kind !== undefined ? { atMs, calendar, kind, operation, status } : [];
  });
}

const googleKinds: Kinds = {
  'calendarList.list': 'read',
  'calendarList.get': 'read',
  'events.list': 'read',
  'events.get': 'read',
  'events.instances': 'read',
  'events.insert': 'insert',
  'events.patch': 'update',
  'events.update': 'update',
  'events.delete': 'delete',
  'events.watch': 'push',
  'channels.stop': 'push',
};

interface GoogleShows {
  start: { dateTime?: string; date?: string };
  recurringEventId?: string;
  extendedProperties?: { private?: Record<string, string> };
}

export function googleAccount(
  control: ControlClient<GoogleDialect>,
  name: string,
  kinds: readonly string[],
): MeshAccount {
  return {
    provider: 'google',
    name,
    // every account has a primary calendar, of its own name
    calendars: kinds.map((kind, n) => (n === 0 ? name : `${kind}-${name}`)),
    async seed(id, events) {
      const seeds = events.map((event) => ({
        summary: event.title,
        start: minuteOf(event.start),
        minutes: event.minutes,
        ...(event.weeks === undefined ? {} : { recurrence: [`RRULE:FREQ=WEEKLY;COUNT=${event.weeks}`] }),
        ...(event.exceptions === true
          ? {
              instances: {
                [minuteOf(event.start.add({ weeks: cancelledWeek }))]: null,
                [minuteOf(event.start.add({ weeks: movedWeek }))]: {
                  start: minuteOf(movedOf(event)),
                  minutes: event.minutes,
                },
              },
            }
          : {}),
      }));
      await control.seed({ account: name, timeZone: 'UTC', calendars: [{ id, events: seeds }] });
    },
    move: async (calendar, pick, minutes) =>
      void (await control.act({ account: name, calendar, do: 'move', pick, minutes })),
    remove: async (calendar, pick) => void (await control.act({ account: name, calendar, do: 'delete', pick })),
    async standing() {
      const { calendars = {} } = (await control.snapshot()).accounts[name] ?? {};
      return new Map(
        Object.entries(calendars).map(([id, { events }]) => {
          const shown = events as unknown as GoogleShows[];
          const ours = shown.filter((event) => event.extendedProperties?.private?.holdfast !== undefined);
          // an exception belongs to the series it is of
          const own = shown.filter((event) => !ours.includes(event) && event.recurringEventId === undefined);
          const blocks = ours.map(({ start }) => startOf(start.dateTime ?? start.date ?? ''));
          return [id, { own: own.length, blocks: blocks.toSorted() }] as const;
        }),
      );
    },
    requests: async (since) => requestsOf(await control.ledger(since), name, googleKinds),
  };
}

/** Wall clock in UTC of an RFC 3339 time, to the minute. */
const startOf = (text: string) =>
  text.length > 10 ? Temporal.Instant.from(text).toString().slice(0, 16) : text.slice(0, 10);

const microsoftKinds: Kinds = {
  'list-calendars': 'read',
  'get-calendar': 'read',
  'list-events': 'read',
  'calendar-view': 'read',
  'list-instances': 'read',
  delta: 'read',
  'get-event': 'read',
  'create-event': 'insert',
  'update-event': 'update',
  'delete-event': 'delete',
  'create-subscription': 'push',
  'renew-subscription': 'push',
  'delete-subscription': 'push',
  'list-subscriptions': 'push',
};

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export function microsoftAccount(
  control: ControlClient<MicrosoftDialect>,
  name: string,
  calendars: readonly string[],
): MeshAccount {
  return {
    provider: 'microsoft',
    name,
    calendars,
    async seed(key, events) {
      const seeds = events.map((event) => ({
        subject: event.title,
        start: minuteOf(event.start),
        minutes: event.minutes,
        ...(event.weeks === undefined
          ? {}
          : {
              repeat: {
                type: 'weekly' as const,
                daysOfWeek: [weekdays[event.start.dayOfWeek - 1] ?? 'monday'],
                count: event.weeks,
              },
            }),
        ...(event.exceptions === true
          ? {
              cancelled: [event.start.add({ weeks: cancelledWeek }).toPlainDate().toString()],
              exceptions: {
                [event.start.add({ weeks: movedWeek }).toPlainDate().toString()]: { start: minuteOf(movedOf(event)) },
              },
            }
          : {}),
      }));
      await control.seed({ account: name, timeZone: 'UTC', calendars: [{ key, events: seeds }] });
    },
    move: async (_, event, minutes) => void (await control.act({ account: name, do: 'move', event, minutes })),
    remove: async (_, event) => void (await control.act({ account: name, do: 'delete', event })),
    async standing() {
      const { calendars: all = {} } = (await control.snapshot()).accounts[name] ?? {};
      return new Map(
        Object.entries(all).map(([key, { events }]) => {
          const blocks = events.filter(({ transactionId }) => transactionId?.startsWith('hf1:'));
          const starts = blocks.map(({ start }) => start.slice(0, 16));
          return [key, { own: events.length - blocks.length, blocks: starts.toSorted() }] as const;
        }),
      );
    },
    requests: async (since) => requestsOf(await control.ledger(since), name, microsoftKinds),
  };
}

const caldavKinds: Kinds = {
  propfind: 'read',
  'sync-collection': 'read',
  multiget: 'read',
  query: 'read',
  get: 'read',
  create: 'insert',
  update: 'update',
  delete: 'delete',
};

export function caldavAccount(remote: RemoteEmulator, name: string, calendars: readonly string[]): MeshAccount {
  const fileOf = (title: string) => `${title.replaceAll(' ', '-')}.ics`;
  return {
    provider: 'caldav',
    name,
    calendars,
    seed: (calendar, events) =>
      remote.seed({
        user: name,
        calendar,
        objects: events.map((event) => ({ name: fileOf(event.title), body: calendarText(event) })),
      }),
    move: async (calendar, title, minutes) =>
      void (await remote.act({ user: name, calendar, do: 'move', pick: fileOf(title), minutes })),
    remove: async (calendar, title) =>
      void (await remote.act({ user: name, calendar, do: 'delete', pick: fileOf(title) })),
    async standing() {
      const { calendars: all = {} } = (await remote.snapshot()).users[name] ?? {};
      return new Map(
        Object.entries(all).map(([calendar, { objects }]) => {
          const bodies = Object.values(objects).map(({ body }) => body);
          const blocks = bodies.filter((body) => body.includes('X-HOLDFAST-MIRROR'));
          const starts = blocks.map(
            (body) => /^DTSTART[^:]*:(\S+)/m.exec(body.slice(body.indexOf('BEGIN:VEVENT')))?.[1],
          );
          return [
            calendar,
            { own: bodies.length - blocks.length, blocks: starts.map((text) => fromStamp(text ?? '')).toSorted() },
          ] as const;
        }),
      );
    },
    requests: async (since) => requestsOf(await remote.ledger(since), name, caldavKinds),
  };
}

const stampOf = (at: Temporal.PlainDateTime) => `${at.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}Z`;
const fromStamp = (text: string) => text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d).*$/, '$1-$2-$3T$4:$5');

function calendarText(event: MeshEvent): string {
  const { title, start, minutes } = event;
  const component = (from: Temporal.PlainDateTime, more: string[]) => [
    'BEGIN:VEVENT',
    `UID:${title.replaceAll(' ', '-')}@mesh.example`,
    `DTSTAMP:${stampOf(start)}`,
    `SUMMARY:${title}`,
    `DTSTART:${stampOf(from)}`,
    `DTEND:${stampOf(from.add({ minutes }))}`,
    ...more,
    'END:VEVENT',
  ];
  const rule = event.weeks === undefined ? [] : [`RRULE:FREQ=WEEKLY;COUNT=${event.weeks}`];
  const hole = event.exceptions === true ? [`EXDATE:${stampOf(start.add({ weeks: cancelledWeek }))}`] : [];
  const moved =
    event.exceptions === true
      ? component(movedOf(event), [`RECURRENCE-ID:${stampOf(start.add({ weeks: movedWeek }))}`])
      : [];
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Mesh//EN',
    ...component(start, [...rule, ...hole]),
    ...moved,
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}
