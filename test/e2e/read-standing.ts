import { RRuleTemporal } from 'rrule-temporal';
import type { Snapshot as GoogleSnapshot } from '../../src/emulators/google/snapshot.ts';
import type { Snapshot as MicrosoftSnapshot, SnapshotEvent } from '../../src/emulators/microsoft/snapshot.ts';
import type { RemoteEvent } from './remote-calendar.ts';

/**
 * The content of a calendar, computed from its provider's data without the product's code. rrule-temporal expands
 * series, and this file decides which events block time.
 */
export interface Standing {
  /** `start/end` of everything of its person's that blocks: instants or, all-day, dates. Sorted. */
  busy: string[];
  /** The same of what the product wrote there. */
  blocks: string[];
}

/** Only what starts in here is looked at. *Units*: epoch ms. */
export interface Stretch {
  fromMs: number;
  toMs: number;
}

/** One time of an event: `start/end` as instants or, all-day, as dates. */
export interface Occurrence {
  title: string;
  span: string;
  isBlock: boolean;
}

const day = 86_400_000;

function standing(found: readonly Occurrence[], stretch: Stretch): Standing {
  const spans = (isBlock: boolean) =>
    found
      .filter((one) => one.isBlock === isBlock && isIn(one.span, stretch))
      .map(({ span }) => span)
      .sort();
  return { busy: spans(false), blocks: spans(true) };
}

function isIn(span: string, { fromMs, toMs }: Stretch): boolean {
  const [start = ''] = span.split('/');
  const ms = isDate(start)
    ? Temporal.Instant.from(`${start}T00:00Z`).epochMilliseconds
    : Temporal.Instant.from(start).epochMilliseconds;
  return fromMs <= ms && ms < toMs;
}

const isDate = (text: string) => text.length === 10;
const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'second' });
const isoDay = (ms: number) => instant(ms).slice(0, 10);
const spanText = (startMs: number, endMs: number, allDay: boolean) =>
  allDay ? `${isoDay(startMs)}/${isoDay(endMs)}` : `${instant(startMs)}/${instant(endMs)}`;

/** Starts of a series. All-day ones count as midnight UTC. */
function startsOf(start: Temporal.ZonedDateTime, rules: readonly string[], { fromMs, toMs }: Stretch): number[] {
  const stamp = start.toPlainDateTime().toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
  const rruleString = [`DTSTART;TZID=${start.timeZoneId}:${stamp}`, ...rules].join('\n');
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(start.timeZoneId);
  const from = at(Math.max(fromMs - 7 * day, start.epochMilliseconds));
  return new RRuleTemporal({ rruleString }).between(from, at(toMs), true).map((found) => found.epochMilliseconds);
}

interface GoogleTime {
  date?: string;
  dateTime?: string;
  timeZone?: string;
}

interface GoogleEvent {
  id: string;
  summary?: string;
  start: GoogleTime;
  end: GoogleTime;
  originalStartTime?: GoogleTime;
  recurringEventId?: string;
  recurrence?: string[];
  transparency?: string;
  eventType?: string;
  attendees?: { email: string; responseStatus?: string }[];
  extendedProperties?: { private?: Record<string, string> };
}

export function standingAtGoogle(snapshot: GoogleSnapshot, account: string, stretch: Stretch): Standing {
  return standing(occurrencesAtGoogle(snapshot, account, stretch), stretch);
}

/** Busy times in the account's own calendar. */
export function occurrencesAtGoogle(snapshot: GoogleSnapshot, account: string, stretch: Stretch): Occurrence[] {
  const calendar = snapshot.accounts[account]?.calendars[account];
  if (calendar === undefined) throw new Error(`${account} has no calendar`);
  const events = calendar.events as unknown as GoogleEvent[];
  const msOf = ({ date, dateTime }: GoogleTime) =>
    date === undefined
      ? Temporal.Instant.from(dateTime ?? '').epochMilliseconds
      : Temporal.Instant.from(`${date}T00:00Z`).epochMilliseconds;
  const stampOf = (ms: number, allDay: boolean) =>
    allDay ? isoDay(ms).replaceAll('-', '') : instant(ms).replaceAll(/[-:]/g, '');
  const blocksTime = ({ transparency, eventType = '', attendees = [], start }: GoogleEvent) => {
    const answer = attendees.find(({ email }) => email === account)?.responseStatus;
    if (transparency === 'transparent' || eventType === 'workingLocation' || eventType === 'birthday') return false;
    return answer !== 'declined' && !(answer === 'needsAction' && start.date !== undefined);
  };
  const shown = (event: GoogleEvent): Occurrence[] =>
    blocksTime(event) && msOf(event.start) < msOf(event.end)
      ? [
          {
            title: event.summary ?? '',
            span: spanText(msOf(event.start), msOf(event.end), event.start.date !== undefined),
            isBlock: event.extendedProperties?.private?.holdfast !== undefined,
          },
        ]
      : [];
  const changed = new Set(
    events.flatMap(({ recurringEventId, originalStartTime: at }) =>
      at === undefined ? [] : `${recurringEventId}_${stampOf(msOf(at), at.date !== undefined)}`,
    ),
  );
  return events.flatMap((event) => {
    if (event.recurrence === undefined) return shown(event);
    const allDay = event.start.date !== undefined;
    const startMs = msOf(event.start);
    const zone = allDay ? 'UTC' : (event.start.timeZone ?? calendar.timeZone);
    const start = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(zone);
    return startsOf(start, event.recurrence, stretch)
      .filter((ms) => {
        const id = `${event.id}_${stampOf(ms, allDay)}`;
        return !changed.has(id) && !calendar.cancelled.includes(id);
      })
      .flatMap((ms) => {
        const endMs = ms + msOf(event.end) - startMs;
        const times = allDay
          ? { start: { date: isoDay(ms) }, end: { date: isoDay(endMs) } }
          : { start: { dateTime: instant(ms) }, end: { dateTime: instant(endMs) } };
        return shown({ ...event, ...times });
      });
  });
}

/** Windows zone names that the journeys meet at Graph. */
const windowsZones: Record<string, string> = {
  'Eastern Standard Time': 'America/New_York',
  'W. Europe Standard Time': 'Europe/Berlin',
};
const localMs = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime('UTC').epochMilliseconds;

function fromWallClock(ms: number, zone: string): Temporal.ZonedDateTime {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC').toPlainDateTime();
  return local.toZonedDateTime(windowsZones[zone] ?? zone);
}

export function standingAtMicrosoft(
  snapshot: MicrosoftSnapshot,
  account: string,
  key: string,
  stretch: Stretch,
): Standing {
  return standing(occurrencesAtMicrosoft(snapshot, account, key, stretch), stretch);
}

/** Busy times in one calendar of a mailbox. */
export function occurrencesAtMicrosoft(
  snapshot: MicrosoftSnapshot,
  account: string,
  key: string,
  stretch: Stretch,
): Occurrence[] {
  const calendar = snapshot.accounts[account]?.calendars[key];
  if (calendar === undefined) throw new Error(`${account} has no calendar ${key}`);
  const free = ['free', 'workingElsewhere'];
  return calendar.events.flatMap((event): Occurrence[] => {
    const isBlock = Object.keys(event.extended).some((name) => name.endsWith(' Name holdfast'));
    const whole = { startLocalMs: localMs(event.start), endLocalMs: localMs(event.end), ...event };
    const shown = (content: Omit<typeof whole, 'start' | 'end'>): Occurrence[] => {
      const { startLocalMs, endLocalMs, zone, isAllDay, showAs, response, subject: title } = content;
      const isOpen = isAllDay && response === 'notResponded';
      if (free.includes(showAs) || response === 'declined' || isOpen || startLocalMs === endLocalMs) return [];
      if (isAllDay) return [{ title, span: spanText(startLocalMs, endLocalMs, true), isBlock }];
      const [start, end] = [fromWallClock(startLocalMs, zone), fromWallClock(endLocalMs, zone)];
      return [{ title, span: spanText(start.epochMilliseconds, end.epochMilliseconds, false), isBlock }];
    };
    if (event.recurrence === null) return shown(whole);
    const start = fromWallClock(whole.startLocalMs, event.isAllDay ? 'UTC' : event.zone);
    const instances = startsOf(start, [ruleOf(event)], stretch).flatMap((ms) => {
      const local = localMs(
        Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(start.timeZoneId).toPlainDateTime().toString(),
      );
      const originalDay = isoDay(local);
      if (event.cancelled.includes(originalDay) || originalDay in event.exceptions) return [];
      return shown({ ...whole, startLocalMs: local, endLocalMs: local + whole.endLocalMs - whole.startLocalMs });
    });
    const exceptions = Object.values(event.exceptions).flatMap(({ startZone, ...changes }) =>
      shown({ ...whole, ...changes, zone: startZone ?? event.zone } as typeof whole),
    );
    return [...instances, ...exceptions];
  });
}

/** A pattern of Graph in the words of RFC 5545. */
function ruleOf({ recurrence }: SnapshotEvent): string {
  if (recurrence === null) throw new Error('no series');
  const { pattern, range } = recurrence;
  const days = pattern.daysOfWeek.map((name) => name.slice(0, 2).toUpperCase());
  const nth = { first: 1, second: 2, third: 3, fourth: 4, last: -1 }[pattern.index];
  const words: Partial<Record<typeof pattern.type, string>> = {
    daily: 'FREQ=DAILY',
    weekly: `FREQ=WEEKLY;BYDAY=${days.join(',')};WKST=${pattern.firstDayOfWeek?.slice(0, 2).toUpperCase() ?? 'SU'}`,
    relativeMonthly: `FREQ=MONTHLY;BYDAY=${days.map((name) => `${nth}${name}`).join(',')}`,
  };
  const rule = words[pattern.type];
  if (rule === undefined) throw new Error(`this journey knows no pattern ${pattern.type}`);
  const ends = {
    noEnd: '',
    numbered: `;COUNT=${range.numberOfOccurrences}`,
    endDate: `;UNTIL=${range.endDate.replaceAll('-', '')}T235959Z`,
  }[range.type];
  return `RRULE:${rule};INTERVAL=${pattern.interval}${ends}`;
}

/** At CalDAV ical.js has read the objects already. */
export function standingAtCaldav(events: readonly RemoteEvent[], stretch: Stretch): Standing {
  return standing(occurrencesAtCaldav(events), stretch);
}

export function occurrencesAtCaldav(events: readonly RemoteEvent[]): Occurrence[] {
  return events
    .filter(({ busy, text }) => busy && !text.includes('PARTSTAT=DECLINED'))
    .flatMap(({ title, spans, isBlock }) => spans.map((span) => ({ title, span, isBlock })));
}

/** Returns the blocks that each side must show: the busy times of the others. */
export function blocksWanted(sides: readonly Standing[]): string[][] {
  return sides.map((side) =>
    sides
      .filter((other) => other !== side)
      .flatMap(({ busy }) => busy)
      .sort(),
  );
}
