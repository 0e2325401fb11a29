import type { Core, RecId, Series, When } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { canonicalRule } from '#kernel/ical/canonical-rule.ts';
import { type OpenSeries, openSeries } from '#kernel/recurrence/open-series.ts';
import { dayMs, secondMs } from '#kernel/time/civil.ts';
import { isExact } from '#kernel/time/duration.ts';
import { parseLocal, parseLocalDate, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { makeRecId } from '#kernel/time/rec-id.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import { fromPattern } from './from-pattern.ts';
import { type GraphEvent, readEvent } from './graph-event.ts';
import { readInstant, readWhen } from './graph-time.ts';
import { patternedRecurrence } from './patterned-recurrence.ts';
import type { Window } from './to-item.ts';
import { zoneNamed } from './zones.ts';

/**
 * A master with its cancelled and its changed instances as one series, or null where any of it cannot be said exactly:
 * an unknown pattern or zone, a cancelled day that the rule does not have, exceptions that were not told. Then the
 * instances themselves have to be read. `byClock`: instances in the window that the clocks make longer or shorter; others
 * as the window goes on. Source: event resource type (cancelledOccurrences, exceptionOccurrences).
 */
export function readSeries(
  master: GraphEvent,
  coreOf: (event: GraphEvent) => Core,
  window: Window,
): { series: Series; byClock: RecId[] } | null {
  const { exceptionOccurrences, cancelledOccurrences } = master;
  if (!Array.isArray(exceptionOccurrences) || !Array.isArray(cancelledOccurrences)) return null;
  const read = patternedRecurrence.safeParse(master.recurrence);
  if (!read.success) return null;
  const zone = zoneOfSeries(master, read.data.range.recurrenceTimeZone);
  const told = zone === null ? null : readWhen(master, zone.id);
  const found = told === null ? null : fromPattern(read.data, told.start);
  if (zone === null || told === null || found === null) return null;
  const when = startingAt(endingByClock(told, zone), found.start);
  const rule = canonicalRule(found.rule, when, undefined);
  if (rule === null) return null;
  const open = openSeries({
    start: when.start,
    zone: when.kind === 'zoned' ? zone.id : null,
    rules: [rule],
    exRules: [],
    extraDates: [],
    exdates: [],
  });
  const overrides = readOverrides(exceptionOccurrences, when, zone, coreOf);
  const exdates = readExdates(cancelledOccurrences, when, zone, open);
  if (overrides === null || exdates === null) return null;
  for (const recId of overrides.cancelled) exdates.add(recId);
  for (const recId of Object.keys(overrides.list)) exdates.delete(recId);
  const core = coreOf(master);
  const byClock = changedByClock(when, zone, open, window).filter(
    ([recId]) => !exdates.has(recId) && overrides.list[recId] === undefined,
  );
  for (const [recId, own] of byClock) overrides.list[recId] = { when: own, core };
  const series: Series = {
    kind: 'series',
    when,
    core,
    rules: [rule],
    exRules: [],
    extraDates: [],
    exdates: [...exdates].sort(),
    overrides: overrides.list,
  };
  return { series, byClock: byClock.map(([recId]) => recId) };
}

/** A zone that is named and not known must not be replaced by another one that happens to be. */
function zoneOfSeries(master: GraphEvent, named: string | null | undefined): Zone | null {
  const name = named === null || named === undefined || named === '' ? master.originalStartTimeZone : named;
  if (master.isAllDay === true) return loadZone(zoneNamed(name) ?? 'UTC') ?? utc;
  const zone = zoneNamed(name);
  return zone === null ? null : loadZone(zone);
}

function startingAt(told: When, start: string): When {
  if (told.kind !== 'all-day') return { ...told, start };
  const days = ((parseLocalDate(told.end) ?? 0) - (parseLocalDate(told.start) ?? 0)) / dayMs;
  return { kind: 'all-day', start, end: printLocalDate((parseLocalDate(start) ?? 0) + days * dayMs) };
}

/**
 * The length of an ordinary instance. Outlook keeps the end of a series as a time of day, as it does the start, and told is
 * the end of the first one: in a night of changing clocks that is an hour longer or shorter than the others. Source:
 * [MS-OXOCAL] AppointmentRecurrencePattern (StartTimeOffset, EndTimeOffset).
 */
function endingByClock(told: When, zone: Zone): When {
  if (told.kind !== 'zoned' || !isExact(told.duration)) return told;
  const startMs = zone.toInstant(parseLocal(told.start) ?? 0);
  const byClockMs = zone.toLocal(startMs + told.duration.seconds * secondMs) - zone.toLocal(startMs);
  return byClockMs > 0 ? { ...told, duration: { seconds: byClockMs / secondMs } } : told;
}

/** Instances in the window whose end, as a time of day, makes them longer or shorter than the others. */
function changedByClock(when: When, zone: Zone, open: OpenSeries, { fromMs, toMs }: Window): [RecId, When][] {
  if (when.kind !== 'zoned' || !isExact(when.duration)) return [];
  const byClockMs = when.duration.seconds * secondMs;
  const ofRule = parseLocal(when.start) ?? 0;
  return open.between(fromMs - byClockMs - dayMs, toMs).startsMs.flatMap((startMs): [RecId, When][] => {
    const start = zone.toLocal(startMs);
    // where the clocks leave the start out, it stands later, and the end does not
    const laterMs = (start - ofRule) % dayMs;
    const lengthMs = zone.toInstant(start - laterMs + byClockMs) - startMs;
    if (lengthMs === byClockMs || lengthMs <= 0) return [];
    const own: When = { ...when, start: printLocalDateTime(start), duration: { seconds: lengthMs / secondMs } };
    return [[makeRecId('zoned', startMs), own]];
  });
}

/** The name of an instance from `originalStart`, which is UTC; of an all-day one its day, midnight in some zone. */
export function recIdOf(originalMs: number, kind: When['kind'], zone: Zone): RecId {
  if (kind !== 'all-day') return makeRecId('zoned', Math.floor(originalMs / secondMs) * secondMs);
  const localMs = originalMs % dayMs === 0 ? originalMs : zone.toLocal(originalMs);
  return makeRecId('all-day', Math.floor(localMs / dayMs) * dayMs);
}

function readOverrides(
  rows: unknown[],
  when: When,
  zone: Zone,
  coreOf: (event: GraphEvent) => Core,
): { list: Series['overrides']; cancelled: RecId[] } | null {
  if (rows.length > eventLimits.overrides) return null;
  const list: Series['overrides'] = {};
  const cancelled: RecId[] = [];
  for (const row of rows) {
    const read = readEvent(row);
    if (read === null || !read.ok) return null;
    const { event } = read;
    const originalMs = readInstant(event.originalStart);
    const own = readWhen(event, zoneNamed(event.originalStartTimeZone) ?? zone.id);
    if (originalMs === null || own === null) return null;
    const recId = recIdOf(originalMs, when.kind, zone);
    if (event.isCancelled === true) cancelled.push(recId);
    else list[recId] = { when: own, core: coreOf(event) };
  }
  return { list, cancelled };
}

/** `OID.<master>.<yyyy-mm-dd>`: the day of the original start. The rule must have an instance there, and only one. */
function readExdates(ids: string[], when: When, zone: Zone, open: OpenSeries): Set<RecId> | null {
  if (ids.length > eventLimits.exdates) return null;
  const exdates = new Set<RecId>();
  const timeOfDayMs = (parseLocal(when.start) ?? 0) % dayMs;
  for (const id of ids) {
    const dateMs = parseLocalDate(/\.(\d{4}-\d{2}-\d{2})$/.exec(id)?.[1] ?? '');
    if (dateMs === null) return null;
    const ownDay = when.kind === 'zoned' ? zone.toInstant(dateMs + timeOfDayMs) : dateMs;
    // the day in the zone of the series, or, because nothing rules it out, in UTC
    const [onDay] = open.between(ownDay, ownDay + 1).startsMs;
    const inUtc = onDay === undefined ? open.between(dateMs, dateMs + dayMs).startsMs : [];
    const startMs = onDay ?? (inUtc.length === 1 ? inUtc[0] : undefined);
    if (startMs === undefined) return null;
    exdates.add(makeRecId(when.kind, startMs));
  }
  return exdates;
}
