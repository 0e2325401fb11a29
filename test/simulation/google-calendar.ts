import { announceEvents } from '../../src/emulators/google/announce.ts';
import { find } from '../../src/emulators/google/find-event.ts';
import { movePatch } from '../../src/emulators/google/reschedule.ts';
import { stampOf } from '../../src/emulators/google/seed.ts';
import { expandMaster } from '../../src/emulators/google/select-events.ts';
import { exceptionsOf, type StoredEvent } from '../../src/emulators/google/stored-event.ts';
import { insertEvent, patchEvent, removeEvent } from '../../src/emulators/google/write-event.ts';
import type { ProviderWorld } from '../harness/provider-world.ts';
import { calendarOf, catalogued, type KeptCalendar } from './kept-calendar.ts';
import { basic, type KeptEvent, ruledStart } from './kept-event.ts';

/** A Google account with its primary calendar, connected. */
export async function openGoogleCalendar(
  { google, connect }: ProviderWorld,
  name: string,
  zone: string,
): Promise<KeptCalendar> {
  const { emulator } = google;
  const { world, clock } = emulator;
  const account = `${name}@google.example`;
  await google.control.seed({ account, name, timeZone: zone, calendars: [{}] });
  const calendarId = calendarOf(await connect('google', account));
  const calendar = world.calendars.get(account);
  if (calendar === undefined) throw new Error('the account has no calendar');
  /** Ids of what is kept here, by its name. */
  const ids = new Map<string, string>();
  const stored = (file: string): StoredEvent => {
    const event = calendar.events.get(ids.get(file) ?? '');
    if (event === undefined) throw new Error(`${file} is not in ${name}`);
    return event;
  };
  const tell = () => {
    announceEvents(world, calendar, {
      nowMs: clock.now(),
      deliveries: emulator.deliveries,
      random: () => emulator.random(),
    });
  };
  const patch = (event: StoredEvent, body: Record<string, unknown>) =>
    patchEvent(world, calendar, event, body, clock.now());
  return {
    provider: 'google',
    name,
    zone,
    calendarId,
    eventZones: ['America/New_York', 'Europe/Berlin', 'UTC', 'Asia/Kathmandu'],
    operations: [
      'events.insert',
      'events.patch',
      'events.update',
      'events.delete',
      'write',
      'events.list',
      'events.get',
      'events.instances',
      'token.refresh',
    ],
    writes: ['events.insert', 'events.patch', 'events.update', 'events.delete', 'write'],
    keep(event) {
      const body = {
        summary: event.title,
        transparency: transparencyOf(event.isFree),
        ...timesOf(event, event.start),
        recurrence: event.weeks > 1 ? [`RRULE:FREQ=WEEKLY;COUNT=${event.weeks}`] : [],
      };
      if (ids.has(event.file)) patch(stored(event.file), body);
      else {
        const marked = event.tag === null ? {} : { extendedProperties: JSON.parse(event.tag) };
        const made = insertEvent(world, calendar, { ...body, ...marked, iCalUID: event.uid }, clock.now(), account);
        ids.set(event.file, made.id);
      }
      for (let week = 0; event.weeks > 1 && week < event.weeks; week += 1) {
        const ruled = ruledStart(event, week);
        const id = `${stored(event.file).id}_${stampOf(ruled, event.zone)}`;
        const instance = find(calendar, id);
        const moved = event.moved.get(week);
        const isFreed = event.freed.has(week);
        if (event.left.has(week)) {
          if (instance.status !== 'cancelled') removeEvent(world, calendar, instance, clock.now());
        } else if (calendar.events.has(id) || moved !== undefined || isFreed) {
          patch(instance, {
            status: 'confirmed',
            summary: event.title,
            transparency: transparencyOf(event.isFree || isFreed),
            ...timesOf(event, moved ?? ruled),
          });
        }
      }
      tell();
    },
    remove(file) {
      removeEvent(world, calendar, stored(file), clock.now());
      ids.delete(file);
      tell();
    },
    shows: (file) => JSON.stringify([stored(file), ...exceptionsOf(calendar, stored(file).id)]),
    uidOf: (file) => stored(file).iCalUID,
    blocks() {
      const theirs = new Set(ids.values());
      const standing = [...calendar.events.values()].filter(
        ({ id, status, recurringEventId }) => !theirs.has(id) && status !== 'cancelled' && recurringEventId === null,
      );
      return standing.map((block) => ({
        name: block.id,
        key: /^(\w+)g\d+g[0-9a-f]+$/.exec(block.id)?.[1] ?? block.id,
        isMarked: /^\w+g\d+g[0-9a-f]+$/.test(block.id),
        components: [block, ...exceptionsOf(calendar, block.id)].flatMap(componentOf).join('\n'),
        mark: JSON.stringify(block.fields.extendedProperties ?? {}),
        remove() {
          removeEvent(world, calendar, block, clock.now());
          tell();
        },
        leaveOut:
          block.recurrence.length === 0
            ? null
            : () => {
                const [instance] = expandMaster(calendar, block, null, clock.now() + 90 * 86_400_000);
                if (instance !== undefined) removeEvent(world, calendar, instance, clock.now());
                tell();
              },
        change() {
          patch(block, { ...(block.time.allDay ? {} : movePatch(block, 17 * 60_000)), summary: 'Mine' });
          tell();
        },
      }));
    },
    fail: (rule, everywhere) => void emulator.addFault({ ...rule, ...(everywhere ? {} : { account }) }),
    ownFaults: catalogued(emulator.machine, faults, narrowed),
    mishaps: {
      'sync tokens expire': () => {
        calendar.epoch += 1;
      },
      'channels expire': () => {
        for (const channel of world.channels.values()) if (channel.user === account) channel.expiresAtMs = clock.now();
      },
      'access tokens expire': () => {
        for (const token of world.accessTokens.values()) if (token.grant.user === account) token.expiresAtMs = 0;
      },
    },
    asked: ({ name: id }) =>
      emulator.ledger.filter(({ resource }) => resource?.startsWith(id)).map((one) => JSON.stringify(one)),
  };
}

/** faults after which sync recovers on its own */
const faults = {
  F6: ['repeated', 'shuffled', 'doubled'],
  G3: ['invalid_client'],
  G4: ['503', '500', 'reset'],
  G5: ['authError'],
  G6: ['rateLimitExceeded', 'userRateLimitExceeded', '429'],
  G7: ['quotaExceeded'],
  G10: ['fullSyncRequired'],
  G11: ['invalid'],
  G12: ['empty-page', 'short-page', 'exceptions-first', 'missing-item', 'endless', 'stale'],
  G13: ['duplicate'],
  G15: ['conditionNotMet'],
  G16: ['deleted', 'notFound'],
  G17: ['notFound', 'requiredAccessLevel'],
};
/**
 * Faults with limits. Only the person can mend a repeated refusal of a new token. False reports of a deletion are left
 * out, because their damage takes days to be found.
 */
const narrowed = { G5: { times: 1 }, G16: { phase: 'after' }, G17: { op: 'events.list' } } as const;

const transparencyOf = (isFree: boolean) => (isFree ? 'transparent' : 'opaque');

function timesOf({ zone, length }: KeptEvent, start: string): Record<string, unknown> {
  if (zone === 'date') {
    return { start: { date: start }, end: { date: Temporal.PlainDate.from(start).add({ days: length }).toString() } };
  }
  const from = Temporal.PlainDateTime.from(start).toZonedDateTime(zone);
  const edge = (at: Temporal.ZonedDateTime) => ({
    dateTime: at.toString({ timeZoneName: 'never', smallestUnit: 'second' }),
    timeZone: zone,
  });
  return { start: edge(from), end: edge(from.add({ minutes: length })) };
}

/** Converts Google's event to iCalendar. */
function componentOf({ time, original, recurrence, status, fields }: StoredEvent): string[] {
  const local = (ms: number, zone: string) =>
    `;TZID=${zone}:${basic(Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime().toString())}`;
  const edges = time.allDay
    ? [`DTSTART;VALUE=DATE:${basic(time.start)}`, `DTEND;VALUE=DATE:${basic(time.end)}`]
    : [`DTSTART${local(time.startMs, time.startZone)}`, `DTEND${local(time.endMs, time.endZone)}`];
  const originally = original?.allDay ? `;VALUE=DATE:${basic(original.day)}` : local(original?.ms ?? 0, 'UTC');
  return [
    'BEGIN:VEVENT',
    ...(original === null ? [] : [`RECURRENCE-ID${originally}`]),
    ...edges,
    ...recurrence,
    ...(status === 'cancelled' ? ['STATUS:CANCELLED'] : []),
    ...(fields.transparency === 'transparent' ? ['TRANSP:TRANSPARENT'] : []),
    ...(status === 'cancelled' ? [] : [`SUMMARY:${fields.summary ?? ''}`]),
    'END:VEVENT',
  ];
}
