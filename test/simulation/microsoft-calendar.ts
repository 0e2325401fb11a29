import { instancesIn } from '../../src/emulators/microsoft/instances.ts';
import { iCalUid } from '../../src/emulators/microsoft/item-ids.ts';
import { announceChanges } from '../../src/emulators/microsoft/notify.ts';
import { newContent } from '../../src/emulators/microsoft/read-event-body.ts';
import { dayOf, printDay, weekdayNames } from '../../src/emulators/microsoft/recurrence-pattern.ts';
import { recurrenceOf } from '../../src/emulators/microsoft/seed-command.ts';
import {
  type CalendarEvent,
  type EventContent,
  nextKey,
  putEvent,
  removeEvent,
} from '../../src/emulators/microsoft/world.ts';
import { withoutInstance } from '../../src/emulators/microsoft/write-events.ts';
import { windowsZones } from '../../src/kernel/ical/windows-zones.ts';
import type { ProviderWorld } from '../harness/provider-world.ts';
import { calendarOf, catalogued, type KeptCalendar } from './kept-calendar.ts';
import { basic, type KeptEvent, ruledStart } from './kept-event.ts';

/** An Outlook account with one calendar, connected. */
export async function openMicrosoftCalendar(
  { microsoft, connect }: ProviderWorld,
  name: string,
  zone: string,
): Promise<KeptCalendar> {
  const { emulator } = microsoft;
  const { world, clock } = emulator;
  const account = `${name}@microsoft.example`;
  await microsoft.control.seed({
    account,
    name,
    timeZone: zone,
    calendars: [{ key: 'calendar', name: 'Calendar', isDefault: true }],
  });
  const calendarId = calendarOf(await connect('microsoft', account));
  const mailbox = world.mailboxes.get(account);
  const calendar = mailbox?.calendars.get('calendar');
  if (mailbox === undefined || calendar === undefined) throw new Error('the account has no calendar');
  /** Keys of what is kept here, by its name. */
  const keys = new Map<string, string>();
  const stored = (file: string): CalendarEvent => {
    const event = calendar.events.get(keys.get(file) ?? '');
    if (event === undefined) throw new Error(`${file} is not in ${name}`);
    return event;
  };
  const put = (event: Omit<CalendarEvent, 'version' | 'modifiedAtMs'>) => {
    putEvent(world, mailbox, calendar, event, clock.now());
    announceChanges(world, emulator.deliveries, clock.now());
  };
  const remove = (key: string) => {
    removeEvent(world, mailbox, calendar, key, clock.now());
    announceChanges(world, emulator.deliveries, clock.now());
  };
  return {
    provider: 'microsoft',
    name,
    zone,
    calendarId,
    eventZones: ['America/New_York', 'Europe/Berlin', 'UTC', 'Asia/Kathmandu'],
    operations: [
      'create-event',
      'update-event',
      'delete-event',
      'write',
      'delta',
      'calendar-view',
      'list-events',
      'list-instances',
      'get-event',
    ],
    writes: ['create-event', 'update-event', 'delete-event', 'write'],
    keep(event) {
      const known = keys.has(event.file) ? stored(event.file) : null;
      const key = known?.key ?? nextKey(world, 'event');
      keys.set(event.file, key);
      const content: EventContent = {
        ...newContent(mailbox),
        ...timesOf(event, event.start),
        subject: event.title,
        showAs: event.isFree ? 'free' : 'busy',
        isAllDay: event.zone === 'date',
        startZone: zoneOf(event),
        endZone: zoneOf(event),
      };
      const day = (week: number) => dayOf(ruledStart(event, week).slice(0, 10));
      const changed = new Set([...event.freed, ...event.moved.keys()]);
      const first = event.start.slice(0, 10);
      put({
        key,
        place: 0,
        content,
        recurrence:
          event.weeks > 1
            ? recurrenceOf(
                { type: 'weekly', daysOfWeek: [weekdayOf(first)], count: event.weeks },
                first,
                content.startZone,
              )
            : null,
        exceptions: new Map(
          [...changed].map((week) => {
            const moved = event.moved.get(week);
            return [
              day(week),
              {
                ...(event.freed.has(week) ? { showAs: 'free' as const } : {}),
                ...(moved === undefined ? {} : timesOf(event, moved)),
              },
            ];
          }),
        ),
        cancelledDays: new Set([...event.left].map(day)),
        transactionId: known?.transactionId ?? null,
        extended: known?.extended ?? new Map(event.tag === null ? [] : (JSON.parse(event.tag) as [string, string][])),
        createdAtMs: known?.createdAtMs ?? clock.now(),
      });
    },
    remove(file) {
      remove(stored(file).key);
      keys.delete(file);
    },
    shows: (file) =>
      JSON.stringify(stored(file), (_, value: unknown) =>
        value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value,
      ),
    uidOf: (file) => iCalUid(stored(file), null),
    blocks() {
      const theirs = new Set(keys.values());
      return [...calendar.events.values()]
        .filter(({ key }) => !theirs.has(key))
        .map((block) => ({
          name: block.key,
          key: /^hf1:([^:]+):/.exec(block.transactionId ?? '')?.[1] ?? block.key,
          isMarked: block.transactionId?.startsWith('hf1:') ?? false,
          components: componentsOf(block).join('\n'),
          mark: JSON.stringify([...block.extended]),
          remove: () => remove(block.key),
          leaveOut:
            block.recurrence === null
              ? null
              : () => {
                  const [first] = instancesIn(block, { fromMs: 0, toMs: clock.now() + 90 * 86_400_000 });
                  if (first?.day != null) put(withoutInstance(block, first.day));
                },
          change() {
            const { content } = block;
            const byMs = content.isAllDay ? 0 : 17 * 60_000;
            const times = { startLocalMs: content.startLocalMs + byMs, endLocalMs: content.endLocalMs + byMs };
            put({ ...block, content: { ...content, ...times, subject: 'Mine' } });
          },
        }));
    },
    fail: (rule, everywhere) => void emulator.addFault({ ...rule, ...(everywhere ? {} : { account }) }),
    ownFaults: catalogued(emulator.machine, faults, narrowed),
    mishaps: {
      'delta tokens expire': () => {
        calendar.tokenEpoch += 1;
      },
      'access tokens expire': () => {
        for (const [token, grant] of world.directory.accessTokens)
          if (grant.mailbox === account) world.directory.accessTokens.delete(token);
      },
      'subscriptions end': () => {
        for (const [id, one] of world.subscriptions) if (one.mailbox === account) world.subscriptions.delete(id);
      },
    },
    asked: () =>
      emulator.ledger
        .filter(({ operation, account: whose }) => whose === account && operation.endsWith('-event'))
        .map((one) => JSON.stringify(one)),
  };
}

/** faults after which sync recovers on its own */
const faults = {
  F6: ['repeated', 'shuffled'],
  M2: ['7000222'],
  M3: ['valid'],
  M4: ['once'],
  M5: ['1', '300', 'date', 'absent', 'TooManyRequests', '503'],
  M7: ['gone', 'syncStateNotFound', 'syncStateInvalid', 'resyncRequired'],
  M8: ['alive'],
  M9: ['no-master', 'sparse'],
  M10: ['lag'],
  M11: ['repeated', 'stale', 'foreign-link', 'empty-page', 'wedged'],
  M12: ['bad-request', 'conflict', 'replay'],
  M13: ['412', '409'],
  M15: ['gone'],
};
/** A new token that is refused again is its person's to grant; of an event that stands nobody is told that it is gone. */
const narrowed = { M4: { times: 1 }, M15: { op: 'delete-event', phase: 'after' } } as const;

const weekdayOf = (date: string) => weekdayNames[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? 'monday';
const zoneOf = ({ zone }: KeptEvent) => (zone === 'date' ? 'UTC' : zone);
const localMs = (local: string) => Temporal.PlainDateTime.from(local).toZonedDateTime('UTC').epochMilliseconds;

function timesOf({ zone, length }: KeptEvent, start: string): Pick<EventContent, 'startLocalMs' | 'endLocalMs'> {
  const startLocalMs = localMs(start);
  if (zone === 'date') return { startLocalMs, endLocalMs: startLocalMs + length * 86_400_000 };
  // the end is a wall clock too: as long as it is, whatever the clocks do in between
  const end = Temporal.PlainDateTime.from(start).toZonedDateTime(zone).add({ minutes: length });
  return { startLocalMs, endLocalMs: localMs(end.toPlainDateTime().toString()) };
}

/** Converts Outlook's event to iCalendar. */
function componentsOf({ content, recurrence, exceptions, cancelledDays }: CalendarEvent): string[] {
  const time = content.isAllDay ? '' : atOf(content.startLocalMs).toString().slice(10);
  const edge = (name: string, local: string, zone: string) =>
    content.isAllDay
      ? `${name};VALUE=DATE:${basic(local.slice(0, 10))}`
      : `${name};TZID=${windowsZones[zone] ?? zone}:${basic(local)}`;
  const component = (of: EventContent, lines: string[]) => [
    'BEGIN:VEVENT',
    ...lines,
    edge('DTSTART', atOf(of.startLocalMs).toString(), of.startZone),
    edge('DTEND', atOf(of.endLocalMs).toString(), of.endZone),
    ...(of.showAs === 'free' ? ['TRANSP:TRANSPARENT'] : []),
    `SUMMARY:${of.subject}`,
    'END:VEVENT',
  ];
  const originally = (name: string, day: number) => edge(name, `${printDay(day)}${time}`, content.startZone);
  const weeks = recurrence?.range.numberOfOccurrences;
  const { type, interval, daysOfWeek } = recurrence?.pattern ?? { type: 'weekly', interval: 1, daysOfWeek: ['once'] };
  if (type !== 'weekly' || interval !== 1 || daysOfWeek.length !== 1)
    throw new Error(`a series that nobody here made: ${JSON.stringify(recurrence)}`);
  return [
    ...component(content, [
      ...(recurrence === null ? [] : [`RRULE:FREQ=WEEKLY;COUNT=${weeks}`]),
      ...[...cancelledDays].map((day) => originally('EXDATE', day)),
    ]),
    ...[...exceptions].flatMap(([day, changes]) =>
      component(
        {
          ...content,
          // where an exception says nothing of its times, they are those of the series on that day
          ...shifted(content, day),
          ...changes,
        },
        [originally('RECURRENCE-ID', day)],
      ),
    ),
  ];
}

function shifted(content: EventContent, day: number): Pick<EventContent, 'startLocalMs' | 'endLocalMs'> {
  const byMs = (day - Math.floor(content.startLocalMs / 86_400_000)) * 86_400_000;
  return { startLocalMs: content.startLocalMs + byMs, endLocalMs: content.endLocalMs + byMs };
}

const atOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC').toPlainDateTime();
