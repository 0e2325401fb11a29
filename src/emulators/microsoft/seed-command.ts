import { dayMs } from '#kernel/time/civil.ts';
import { parseLocal, printLocalDate } from '#kernel/time/local.ts';
import { demoAccount } from './demo-account.ts';
import { guidOf } from './graph-errors.ts';
import { customZone, findZone, zoneOf } from './graph-time.ts';
import { newContent } from './read-event-body.ts';
import { dayOf, type Pattern, type Recurrence, readRecurrence } from './recurrence-pattern.ts';
import {
  type App,
  type Calendar,
  type CalendarEvent,
  type EventContent,
  type Mailbox,
  nextKey,
  putEvent,
  type World,
} from './world.ts';

/** Compact JSON for mailboxes, calendars and events. Existing data is kept. */
export interface SeedCommand {
  /** Address of the mailbox. */
  account?: string;
  name?: string;
  personal?: boolean;
  mail?: string;
  domainVerified?: boolean;
  /** Windows or IANA name. */
  timeZone?: string;
  calendars?: SeedCalendar[];
  /** Weeks of a plausible life around the clock's today, instead of `calendars`. */
  demo?: boolean;
  /** Registered applications; with one, only registered ones may come. */
  apps?: App[];
}

export interface SeedCalendar {
  key: string;
  name?: string;
  color?: string;
  hexColor?: string;
  isDefault?: boolean;
  canEdit?: boolean;
  canViewPrivateItems?: boolean;
  owner?: { name: string; address: string };
  events?: SeedEvent[];
  /** So many half-hour meetings from a day on, spread over `days`. */
  generate?: { count: number; fromDay: string; days?: number; prefix?: string };
}

export interface SeedEvent
  extends Partial<Omit<EventContent, 'startLocalMs' | 'endLocalMs' | 'startZone' | 'endZone' | 'body'>> {
  /** Named so by acts; default made up. */
  key?: string;
  /** `2026-11-23T09:00:00`, or `2026-11-23` for an all-day event. */
  start: string;
  /** As `start`, exclusive; or say how long it is. */
  end?: string;
  minutes?: number;
  /** Default UTC; `tzone://Microsoft/Custom` is possible here and nowhere else. */
  zone?: string;
  body?: string;
  repeat?: Partial<Pattern> & { until?: string; count?: number };
  /** By the date of the original start. */
  exceptions?: Record<string, Partial<SeedEvent>>;
  cancelled?: string[];
  transactionId?: string;
  extended?: Record<string, string>;
}

export function seedMailbox(world: World, command: SeedCommand, nowMs: number): Mailbox {
  const address = command.account!;
  if (command.demo) {
    const { name = 'Simulated Outlook', timeZone = 'W. Europe Standard Time' } = command;
    const today = printLocalDate(zoneOf(timeZone).toLocal(nowMs));
    return seedMailbox(world, demoAccount(address, name, timeZone, today), nowMs);
  }
  const mailbox = world.mailboxes.get(address) ?? addMailbox(world, address, command);
  for (const given of command.calendars ?? []) {
    const calendar = mailbox.calendars.get(given.key) ?? addCalendar(mailbox, given);
    for (const event of [...(given.events ?? []), ...generated(given)])
      addEvent(world, mailbox, calendar, event, nowMs);
  }
  return mailbox;
}

function addMailbox(world: World, address: string, command: SeedCommand): Mailbox {
  const { name, personal = false, timeZone = 'UTC', mail, domainVerified } = command;
  const mailbox: Mailbox = {
    address,
    name: name ?? address.split('@')[0]!,
    userId: guidOf(`user ${address}`),
    tenantId: personal ? '9188040d-6c67-4c5b-b112-36a304b66dad' : guidOf(`tenant ${address.split('@')[1]}`),
    personal,
    mail,
    domainVerified,
    timeZone,
    calendars: new Map(),
    groups: new Map([['mine', 'My Calendars']]),
    transactions: new Map(),
    responses: [],
    consents: new Map(),
  };
  world.mailboxes.set(address, mailbox);
  return mailbox;
}

export function addCalendar(mailbox: Mailbox, given: SeedCalendar): Calendar {
  const own = { name: mailbox.name, address: mailbox.address };
  const calendar: Calendar = {
    key: given.key,
    name: given.name ?? given.key,
    color: given.color ?? 'auto',
    hexColor: given.hexColor ?? '',
    isDefault: given.isDefault ?? mailbox.calendars.size === 0,
    canEdit: given.canEdit ?? true,
    canViewPrivateItems: given.canViewPrivateItems ?? true,
    owner: given.owner ?? own,
    group: 'mine',
    events: new Map(),
    log: [],
    lastChange: new Map(),
    tokenEpoch: 0,
  };
  mailbox.calendars.set(calendar.key, calendar);
  return calendar;
}

export function addEvent(
  world: World,
  mailbox: Mailbox,
  calendar: Calendar,
  given: SeedEvent,
  nowMs: number,
): CalendarEvent {
  const base = newContent(mailbox);
  const content = { ...base, ...changesOf(given, base) };
  const recurrence = given.repeat ? recurrenceOf(given.repeat, given.start.slice(0, 10), content.startZone) : null;
  const key = given.key ?? nextKey(world, 'event');
  if (calendar.events.has(key)) throw new Error(`${calendar.key} already has an event ${key}`);
  const exceptions = Object.entries(given.exceptions ?? {}).map(
    ([date, changes]) => [dayOf(date), changesOf(changes, content)] as const,
  );
  const transactionId = given.transactionId ?? null;
  if (transactionId !== null) mailbox.transactions.set(transactionId, key);
  return putEvent(
    world,
    mailbox,
    calendar,
    {
      key,
      place: 0,
      content,
      recurrence,
      exceptions: new Map(exceptions),
      cancelledDays: new Set((given.cancelled ?? []).map(dayOf)),
      transactionId,
      extended: new Map(Object.entries(given.extended ?? {})),
      createdAtMs: nowMs,
    },
    nowMs,
  );
}

/** Fields of a compact event that are not Graph's. */
const compactNames = new Set([
  'key',
  'start',
  'end',
  'minutes',
  'zone',
  'body',
  'repeat',
  'exceptions',
  'cancelled',
  'transactionId',
  'extended',
]);

/** Converts the fields of a compact event to content. */
export function changesOf(given: Partial<SeedEvent>, base: EventContent): Partial<EventContent> {
  const { start, end, minutes, zone, body } = given;
  const plain = Object.entries(given).filter(([name]) => !compactNames.has(name));
  const changes: Partial<EventContent> = Object.fromEntries(plain);
  if (body !== undefined) changes.body = { contentType: 'text', content: body };
  if (zone !== undefined) {
    if (!findZone(zone) && zone !== customZone) throw new Error(`there is no zone "${zone}"`);
    changes.startZone = zone;
    changes.endZone = zone;
  }
  if (start !== undefined) {
    changes.startLocalMs = localMs(start);
    changes.isAllDay = start.length === 10;
    // An event that is only moved keeps its length, unless it becomes, or ceases to be, an all-day one.
    const kept = changes.isAllDay === base.isAllDay ? base.endLocalMs - base.startLocalMs : Number.NaN;
    changes.endLocalMs = changes.startLocalMs + (Number.isNaN(kept) ? usualLength(changes.isAllDay) : kept);
  }
  const from = changes.startLocalMs ?? base.startLocalMs;
  if (end !== undefined) changes.endLocalMs = localMs(end);
  else if (minutes !== undefined) changes.endLocalMs = from + minutes * 60_000;
  return changes;
}

export function recurrenceOf(repeat: NonNullable<SeedEvent['repeat']>, startDate: string, zone: string): Recurrence {
  const { until, count, ...pattern } = repeat;
  const range = until
    ? { type: 'endDate', startDate, endDate: until }
    : count
      ? { type: 'numbered', startDate, numberOfOccurrences: count }
      : { type: 'noEnd', startDate };
  const read = readRecurrence({ pattern: { interval: 1, ...pattern }, range }, startDate, zone);
  if (!read.ok) throw new Error(read.message);
  return read.recurrence;
}

const usualLength = (isAllDay: boolean): number => (isAllDay ? dayMs : 1_800_000);

function localMs(text: string): number {
  const ms = parseLocal(text.length === 16 ? `${text}:00` : text);
  if (ms === null) throw new Error(`"${text}" is no date or time`);
  return ms;
}

function generated({ generate }: SeedCalendar): SeedEvent[] {
  if (!generate) return [];
  const { count, fromDay, days = 365, prefix = 'Meeting' } = generate;
  const firstMs = parseLocal(fromDay)!;
  return Array.from({ length: count }, (_, n) => {
    const day = Math.floor((n * days) / count);
    const startMs = firstMs + day * dayMs + (8 + (n % 9)) * 3_600_000;
    const start = Temporal.Instant.fromEpochMilliseconds(startMs).toString().slice(0, 19);
    return { subject: `${prefix} ${n + 1}`, start, minutes: 30 };
  });
}
