import { type Component, readProperty, scanInSlices } from '#kernel/ical/content-lines.ts';
import { readDurationValue } from '#kernel/ical/date-value.ts';
import { decodeInSlices } from '#kernel/ical/decode-calendar.ts';
import { readTextValue } from '#kernel/ical/ical-text.ts';
import {
  buildObject,
  type ParseContext,
  type ParsedObject,
  pauseEvents,
  sortInSlices,
  zoneOfFile,
} from '#kernel/ical/parse-object.ts';
import { type RawEvent, rawValue, uidOf } from '#kernel/ical/read-event.ts';
import { type BusyPeriod, readBusyPeriods } from '#kernel/ical/read-freebusy.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import { syntheticUid } from '#kernel/ical/revisions.ts';
import { createZoneLookup, timesOf } from '#kernel/ical/zone-lookup.ts';
import { type Sliced, withoutPause } from '#kernel/work-budget.ts';

export interface Feed {
  ok: true;
  /** X-WR-CALNAME or NAME. */
  name: string | undefined;
  /** The zone of floating times, from X-WR-TIMEZONE. */
  zone: string | undefined;
  /** False when the file was cut off: what is missing from it says nothing. An event that is cut has its known times. */
  complete: boolean;
  /** True when all that is missing is the end of the calendar: its events are whole, and some may be lost. */
  endsBetween: boolean;
  /** True when a part of it is damaged, and another may have been lost with it: absence says nothing either. */
  damaged: boolean;
  /** How often its publisher wants it read, in seconds: REFRESH-INTERVAL, else X-PUBLISHED-TTL. Source: RFC 7986 5.7. */
  refreshSeconds: number | undefined;
  /** Warnings of the file; each object has its own as well. */
  warnings: string[];
  /** Objects that `objects` will give. */
  count: number;
  /** The UIDs of `objects`, in their order. */
  uids: readonly string[];
  /** One for each UID, made as they are asked for. Can be walked once or many times. */
  objects: Iterable<ParsedObject>;
  /** The same with pauses, which are undefined. */
  objectsInSlices: Iterable<ParsedObject | undefined>;
}

/**
 * A whole calendar file (an import, a subscription) as one object for each UID. One bad event is withheld and the
 * others stand; only a file that is no calendar or beyond the limits is refused.
 *
 * Events without a UID get one from their content, and so do different events that share one. Busy periods of VFREEBUSY are
 * events without a title.
 * *Errors*: none thrown.
 */
export function parseFeed(input: string | Uint8Array, context: ParseContext): Feed | { ok: false; reason: string } {
  return withoutPause(parseFeedInSlices(input, context));
}

/** The same, with pauses; `objects` is left to the caller's. */
export function* parseFeedInSlices(
  input: string | Uint8Array,
  context: ParseContext,
): Sliced<Feed | { ok: false; reason: string }> {
  const text = typeof input === 'string' ? input : yield* decodeInSlices(input);
  if (typeof text !== 'string') return text;
  const scan = yield* scanInSlices(text);
  if (!scan.ok) return scan;
  if (!scan.roots.some(({ name }) => name === 'VCALENDAR' || name === 'VEVENT')) {
    return { ok: false, reason: 'not a calendar: there is no BEGIN:VCALENDAR' };
  }
  const { events, freebusy, timezones } = yield* sortInSlices(scan);
  const warnings = [...scan.warnings];
  const endsBetween = !scan.complete && isCalendarOpen(scan.roots.at(-1));
  if (endsBetween) warnings.push(warning('component-unclosed', { component: 'VCALENDAR' }));
  else if (!scan.complete) warnings.push(warning('cut-off', {}));
  const groups = yield* groupEvents(events, warnings);
  const zone = zoneOfFile(scan, warnings);
  const busy = yield* readBusyPeriods(freebusy, (one) => {
    // periods begin and end at any hour
    const times = timesOf([one]);
    const anyHour = () => ({ ...times(), again: 'all', untilMs: Number.POSITIVE_INFINITY }) as const;
    return createZoneLookup(timezones, zone, anyHour, warnings, one.calendar);
  });
  if (busy === null) return { ok: false, reason: 'more than 20,000 busy periods' };
  const { periods, unreadable } = busy;
  if (unreadable > 0) warnings.push(warning('busy-unreadable', { number: unreadable }));
  const objectContext = { ...context, calendarZone: context.calendarZone ?? zone };
  const objectScan = { ...scan, warnings: [] };
  const objectsInSlices: Feed['objectsInSlices'] = {
    *[Symbol.iterator]() {
      for (const { uid, events: group } of groups) {
        yield yield* buildObject(uid, group, objectScan, timezones, objectContext);
      }
      for (const period of periods) {
        const { body } = period;
        yield { uid: busyUid(period), sequence: undefined, body, provenance: 'foreign', warnings: [] };
      }
    },
  };
  return {
    ok: true,
    name: nameOf(scan.roots),
    zone,
    complete: scan.complete,
    endsBetween,
    damaged: scan.damaged || !scan.complete || unreadable > 0 || events.some(({ isJoined }) => isJoined),
    refreshSeconds: refreshOf(scan.roots),
    warnings,
    count: groups.length + periods.length,
    uids: [...groups.map(({ uid }) => uid), ...periods.map(busyUid)],
    objects: {
      *[Symbol.iterator]() {
        for (const object of objectsInSlices) if (object !== undefined) yield object;
      },
    },
    objectsInSlices,
  };
}

/** Whether the text stops between the components of a calendar: each of them is whole, and others may have been lost. */
function isCalendarOpen(calendar: Component | undefined): boolean {
  return calendar?.name === 'VCALENDAR' && !calendar.closed && calendar.components.at(-1)?.closed !== false;
}

const busyUid = ({ name }: BusyPeriod) => `busy ${name}`;

interface Group {
  uid: string;
  events: RawEvent[];
}

function* groupEvents(events: RawEvent[], warnings: string[]): Sliced<Group[]> {
  const byUid = new Map<string, RawEvent[]>();
  let missing = 0;
  for (const [at, event] of events.entries()) {
    if (at % pauseEvents === 0) yield;
    let uid = uidOf(event);
    if (uid === '') {
      uid = syntheticUid(event);
      missing += 1;
    }
    const group = byUid.get(uid);
    if (group === undefined) byUid.set(uid, [event]);
    else group.push(event);
  }
  if (missing > 0) warnings.push(warning('uids-missing', { number: missing }));
  const groups: Group[] = [];
  let shared = 0;
  for (const [uid, group] of byUid) {
    const parts = group.length === 1 ? [] : splitShared(uid, group);
    if (parts.length < 2) groups.push({ uid, events: group });
    else {
      groups.push(...parts);
      shared += parts.length;
    }
  }
  if (shared > 0) warnings.push(warning('uids-shared', { number: shared }));
  return groups;
}

/**
 * Some exporters give all events one UID. Masters of the same revision that begin at different times are different
 * events; overrides stay with the first that repeats.
 */
function splitShared(uid: string, group: RawEvent[]): Group[] {
  const masters = group.filter((event) => !event.one.has('RECURRENCE-ID'));
  const revisions = new Set(masters.map((event) => rawValue(event, 'SEQUENCE') ?? '0'));
  const byStart = new Map<string, RawEvent[]>();
  for (const master of masters) {
    const start = rawValue(master, 'DTSTART') ?? '';
    const others = byStart.get(start);
    if (others === undefined) byStart.set(start, [master]);
    else others.push(master);
  }
  if (byStart.size < 2 || revisions.size > 1) return [];
  const parts = [...byStart].map(([start, events]) => ({ uid: `${uid}~${start}`.slice(0, 1_000), events }));
  const series = parts.find((part) => part.events.some((event) => event.rules.length > 0)) ?? parts[0];
  for (const event of group) if (event.one.has('RECURRENCE-ID')) series?.events.push(event);
  return parts;
}

function nameOf(roots: Component[]): string | undefined {
  return firstOf(roots, ['X-WR-CALNAME', 'NAME'], (value) => {
    const name = readTextValue(value, 200).trim();
    return name === '' ? undefined : name;
  });
}

function refreshOf(roots: Component[]): number | undefined {
  return firstOf(roots, ['REFRESH-INTERVAL', 'X-PUBLISHED-TTL'], (value) => {
    const duration = readDurationValue(value);
    const seconds = duration === null ? 0 : duration.days * 86_400 + duration.seconds;
    return seconds > 0 ? seconds : undefined;
  });
}

/** The first property of the calendar itself, in the order of `names`, that `read` makes something of. */
function firstOf<T>(roots: Component[], names: string[], read: (value: string) => T | undefined): T | undefined {
  for (const name of names) {
    for (const root of roots) {
      const line = root.lines.find((one) => one.name === name);
      const found = line === undefined ? undefined : read(readProperty(line).value);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
