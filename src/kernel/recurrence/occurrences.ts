import type { Core, Duration, EventBody, FollowingChange, RecId, Series, When } from '#kernel/event.ts';
import { type ExpansionLimits, type OpenSeries, openSeries } from '#kernel/recurrence/open-series.ts';
import { type Part, partsOf, withLengthOfFirst } from '#kernel/recurrence/split-series.ts';
import { dayMs, hourMs } from '#kernel/time/civil.ts';
import { durationFrom, endOf, type Length, lengthOf } from '#kernel/time/duration.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal } from '#kernel/time/local.ts';
import { makeRecId, parseRecId } from '#kernel/time/rec-id.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import type { WorkBudget } from '#kernel/work-budget.ts';

/** One instance of an event, on the clock of the world. */
export interface Occurrence {
  /** The name of the instance, from its original start; empty for a single event. */
  recId: RecId | '';
  startMs: number;
  /** Never before `startMs`; equal where the event has no (or a negative) length, and then it blocks nothing. */
  endMs: number;
  allDay: boolean;
  core: Core;
  /** Where the instance says itself when it is: an override, or an instance of a provider that only expands. */
  when?: When;
}

export interface Occurrences {
  /** Ascending by start. */
  list: Occurrence[];
  /**
   * Whether there are more in the window than the limits allow. The list holds the instances found; under a budget it
   * is empty.
   */
  tooDense: boolean;
  problems: string[];
}

/** Where a body's wall-clock times are read. */
interface Clocks {
  calendar: Zone;
  owner: Zone;
  problems: string[];
}

/**
 * The instances of an event that have a moment in the window: those that overlap it, and those without length that
 * start in it.
 *
 * All-day instances run from 00:00 of their first day to 00:00 of the day after their last in the owner's zone;
 * floating ones are read in the calendar's zone. Overrides stand where they say, whether or not the series (still) has
 * the instance they name. The days of a length keep the wall clock across a change of the clocks, its seconds do not.
 *
 * *Shape*: half-open window. *Units*: epoch ms. *Errors*: WorkLimitError past the budget; what cannot be read is named in
 * `problems`. *Source*: RFC 5545 sections 3.3.6, 3.6.1, 3.8.4.4, 3.8.5.
 */
export function occurrencesOf(
  body: EventBody,
  calendarZone: string,
  ownerZone: string,
  window: { fromMs: number; toMs: number },
  limits: ExpansionLimits,
  budget?: WorkBudget,
): Occurrences {
  if (budget === undefined) return listOccurrences(body, calendarZone, ownerZone, window, limits);
  // one more than is left: it is the one that breaks the budget
  const instances = Math.min(limits.instances, budget.left('instances') + 1);
  const found = listOccurrences(body, calendarZone, ownerZone, window, { ...limits, instances }, budget);
  if (!found.tooDense) budget.spend('instances', found.list.length);
  else if (instances < limits.instances) throw budget.exceeded('instances');
  else found.list = [];
  return found;
}

function listOccurrences(
  body: EventBody,
  calendarZone: string,
  ownerZone: string,
  window: { fromMs: number; toMs: number },
  limits: ExpansionLimits,
  budget?: WorkBudget,
): Occurrences {
  const clocks = readClocks(calendarZone, ownerZone);
  const found: Occurrences = { list: [], tooDense: false, problems: clocks.problems };
  switch (body.kind) {
    case 'withheld':
      return found;
    case 'single':
      add(found, window, clocks, '', body.when, body.core);
      return found;
    case 'instances':
      for (const [recId, { when, core }] of Object.entries(body.list)) {
        add(found, window, clocks, recId, when, core, when);
        if (found.list.length >= limits.instances) {
          found.tooDense = true;
          break;
        }
      }
      break;
    case 'series':
      expand(found, window, clocks, body, [], limits, budget);
      break;
    case 'split':
      expand(found, window, clocks, body.series, body.changes, limits, budget);
      break;
  }
  sortByStart(found.list);
  return found;
}

/**
 * From the first start to the last end of an event, over all time; `endMs` is null for an endless series. The end is an
 * upper bound: exclusions are not looked at. Null for a body without a readable time.
 * *Errors*: WorkLimitError past the budget.
 */
export function boundsOf(
  body: EventBody,
  calendarZone: string,
  ownerZone: string,
  budget?: WorkBudget,
): { startMs: number; endMs: number | null } | null {
  const clocks = readClocks(calendarZone, ownerZone);
  if (body.kind === 'withheld') return null;
  if (body.kind === 'single') return placeOf(body.when, clocks);
  const series = body.kind === 'split' ? body.series : body;
  const changes = body.kind === 'split' ? body.changes : [];
  const places = [
    ...Object.values(series.kind === 'instances' ? series.list : series.overrides),
    ...changes.flatMap(({ to }) => to ?? []),
  ]
    .map(({ when }) => placeOf(when, clocks))
    .filter((place) => place !== null);
  let startMs = places.reduce((first, place) => Math.min(first, place.startMs), Number.POSITIVE_INFINITY);
  let endMs = places.reduce((last, place) => Math.max(last, place.endMs), Number.NEGATIVE_INFINITY);
  if (series.kind === 'series') {
    const master = openMaster(series, clocks);
    if (master !== null) {
      startMs = Math.min(startMs, master.toInstant(master.series.firstMs()));
      const lastMs = master.series.lastMs(budget) ?? Number.POSITIVE_INFINITY;
      for (const { toMs, moved, longestMs } of readParts(master, changes, clocks)) {
        const lastOfPartMs = Math.min(lastMs, toMs - 1);
        if (!Number.isFinite(lastOfPartMs)) return Number.isFinite(startMs) ? { startMs, endMs: null } : null;
        const when = moved?.whenOf(lastOfPartMs);
        const last = moved === null ? master.toInstant(lastOfPartMs) + longestMs : when && placeOf(when, clocks)?.endMs;
        endMs = Math.max(endMs, last ?? endMs);
      }
    }
  }
  return Number.isFinite(startMs) ? { startMs, endMs } : null;
}

function readClocks(calendarZone: string, ownerZone: string): Clocks {
  const problems: string[] = [];
  const read = (id: string): Zone => {
    const zone = loadZone(id);
    if (zone === null) problems.push(`There is no time zone "${id.slice(0, 40)}"; UTC is used.`);
    return zone ?? utc;
  };
  return { calendar: read(calendarZone), owner: read(ownerZone), problems };
}

/** The zone in which a `When` is read; an unknown zone counts as floating. */
function clockOf(when: When, clocks: Clocks): Zone {
  if (when.kind === 'all-day') return clocks.owner;
  if (when.kind === 'floating') return clocks.calendar;
  const zone = loadEventZone(when.zone);
  if (zone !== null) return zone;
  clocks.problems.push(`There is no time zone "${when.zone.slice(0, 40)}"; the calendar's is used.`);
  return clocks.calendar;
}

/** The first and last moment of a `When`, or null when its texts are no times. */
function placeOf(when: When, clocks: Clocks): { startMs: number; endMs: number } | null {
  const localMs = parseLocal(when.start);
  const clock = clockOf(when, clocks);
  const length = localMs === null ? null : lengthOfWhen(when, localMs, clock);
  if (localMs === null || length === null) {
    clocks.problems.push(`"${when.start.slice(0, 40)}" is no date or time.`);
    return null;
  }
  const startMs = clock.toInstant(localMs);
  return { startMs, endMs: endOf(length, startMs, localMs, clock) };
}

function lengthOfWhen(when: When, localMs: number, clock: Zone): Length | null {
  if (when.kind !== 'all-day') return lengthFrom(when.duration, localMs, clock);
  const endMs = parseLocal(when.end);
  return endMs === null ? null : { days: Math.max(0, (endMs - localMs) / dayMs), wallMs: 0, exactMs: 0 };
}

const lengthFrom = (duration: Duration, localMs: number, clock: Zone) =>
  cutLength(lengthOf(durationFrom(duration, localMs, clock)));

/** Lengths beyond the calendar (`P10000Y`) are cut to it: they overlap everything after their start anyway. */
const maxLengthMs = 8_000 * 366 * dayMs;

const cutLength = ({ days, exactMs }: Length): Length => ({
  days: Math.min(days, maxLengthMs / dayMs),
  wallMs: 0,
  exactMs: Math.min(exactMs, maxLengthMs),
});

function isInWindow(startMs: number, endMs: number, window: { fromMs: number; toMs: number }): boolean {
  return startMs < window.toMs && (endMs > window.fromMs || (endMs === startMs && startMs >= window.fromMs));
}

function add(
  found: Occurrences,
  window: { fromMs: number; toMs: number },
  clocks: Clocks,
  recId: RecId | '',
  when: When,
  core: Core,
  own?: When,
): void {
  const place = placeOf(when, clocks);
  if (place === null || !isInWindow(place.startMs, place.endMs, window)) return;
  const occurrence: Occurrence = { recId, ...place, allDay: when.kind === 'all-day', core };
  if (own !== undefined) occurrence.when = own;
  found.list.push(occurrence);
}

/** A series without its overrides. */
interface Master {
  series: OpenSeries;
  when: When;
  kind: When['kind'];
  /** Reads the all-day and floating starts of a series, which are local ms. */
  clock: Zone;
  length: Length;
  /** The longest an instance can be, with a day of slack where days stretch. */
  longestMs: number;
  /** Lengths of extra dates that have their own, by start as the series tells it. */
  lengths: Map<number, Length>;
  toInstant(seriesMs: number): number;
}

function openMaster(body: Series, clocks: Clocks): Master | null {
  const { when } = body;
  const localMs = parseLocal(when.start);
  const clock = clockOf(when, clocks);
  const length = localMs === null ? null : lengthOfWhen(when, localMs, clock);
  if (localMs === null || length === null) {
    clocks.problems.push(`"${when.start.slice(0, 40)}" is no date or time.`);
    return null;
  }
  const zoned = when.kind === 'zoned';
  const series = openSeries({
    start: when.start,
    zone: zoned ? clock.id : null,
    rules: body.rules,
    exRules: body.exRules,
    extraDates: body.extraDates,
    exdates: body.exdates,
  });
  if (series.problems.length > 0) clocks.problems.push(...series.problems);
  const lengths = new Map<number, Length>();
  let longestMs = spanOf(length);
  for (const extra of body.extraDates) {
    if (extra.duration === undefined) continue;
    const extraLocalMs = parseLocal(extra.start);
    if (extraLocalMs === null) continue;
    const own = lengthFrom(extra.duration, extraLocalMs, clock);
    lengths.set(zoned ? clock.toInstant(extraLocalMs) : extraLocalMs, own);
    longestMs = Math.max(longestMs, spanOf(own));
  }
  const toInstant = zoned ? (ms: number) => ms : (ms: number) => clock.toInstant(ms);
  return { series, when, kind: when.kind, clock, length, longestMs, lengths, toInstant };
}

function spanOf(length: Length): number {
  return length.days > 0 ? (length.days + 1) * dayMs + hourMs + length.exactMs : length.exactMs;
}

/** The series as one part, or in parts where changes of "this and all following" split it. */
function readParts(master: Master, changes: FollowingChange[], clocks: Clocks): Part[] {
  const { when, longestMs, kind, clock } = master;
  const lengthOfPart = (of: When): number => {
    const localMs = parseLocal(of.start);
    const length = localMs === null ? null : lengthOfWhen(of, localMs, clockOf(of, clocks));
    if (length === null) clocks.problems.push(`"${of.start.slice(0, 40)}" is no date or time.`);
    return length === null ? 0 : spanOf(length);
  };
  const fixed = changes.map((change) => withLengthOfFirst(change, clocks.calendar));
  return partsOf({ when, longestMs, zone: kind === 'zoned' ? clock : null }, fixed, lengthOfPart);
}

function expand(
  found: Occurrences,
  window: { fromMs: number; toMs: number },
  clocks: Clocks,
  body: Series,
  changes: FollowingChange[],
  limits: ExpansionLimits,
  budget?: WorkBudget,
): void {
  const overrides = Object.entries(body.overrides);
  for (const [recId, { when, core }] of overrides) add(found, window, clocks, recId, when, core, when);
  const master = openMaster(body, clocks);
  if (master === null) return;
  const { series, clock, length, lengths, kind } = master;
  const zoned = kind === 'zoned';
  const taken = new Set<number>();
  for (const [recId] of overrides) {
    const time = parseRecId(recId);
    if (time === null) clocks.problems.push(`The override "${recId.slice(0, 40)}" names no instance.`);
    else if (kind === 'all-day') taken.add(Math.floor(time.ms / dayMs) * dayMs);
    else taken.add(zoned && time.form !== 'utc' ? clock.toInstant(time.ms) : time.ms);
  }
  // The wall clocks of a series and of a change are up to two days apart; what that brings in too much is left out below.
  const slackMs = changes.length > 0 ? 2 * dayMs + hourMs : zoned ? 0 : dayMs + hourMs;
  for (const part of readParts(master, changes, clocks)) {
    const fromMs = Math.max(part.fromMs, window.fromMs - part.longestMs - part.shiftMs - slackMs);
    const toMs = Math.min(part.toMs, window.toMs - part.shiftMs + slackMs);
    const starts = series.between(fromMs, toMs, {
      instances: limits.instances,
      steps: Math.min(limits.steps, budget?.left('steps') ?? limits.steps),
    });
    budget?.spend('steps', starts.steps);
    found.tooDense ||= starts.tooDense;
    if (budget !== undefined && found.tooDense) return;
    for (const seriesMs of starts.startsMs) {
      if (taken.size > 0 && taken.has(seriesMs)) continue;
      const recId = makeRecId(kind, seriesMs);
      if (part.moved !== null) {
        const when = part.moved.whenOf(seriesMs);
        if (when !== null) add(found, window, clocks, recId, when, part.moved.core, when);
        continue;
      }
      const startMs = zoned ? seriesMs : clock.toInstant(seriesMs);
      const own = lengths.size > 0 ? (lengths.get(seriesMs) ?? length) : length;
      const endMs =
        own.days === 0 ? startMs + own.exactMs : endOf(own, startMs, zoned ? clock.toLocal(startMs) : seriesMs, clock);
      if (!isInWindow(startMs, endMs, window)) continue;
      found.list.push({ recId, startMs, endMs, allDay: kind === 'all-day', core: body.core });
    }
    if (changes.length > 0 && found.list.length > limits.instances) found.tooDense = true;
    if (found.tooDense) return;
  }
}

function sortByStart(list: Occurrence[]): void {
  for (let i = 1; i < list.length; i += 1) {
    if ((list[i] as Occurrence).startMs < (list[i - 1] as Occurrence).startMs) {
      list.sort((a, b) => a.startMs - b.startMs);
      return;
    }
  }
}
