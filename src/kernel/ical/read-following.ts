import {
  eventLimits,
  type FollowingChange,
  type RecId,
  type Series,
  type SplitSeries,
  type When,
} from '#kernel/event.ts';
import { clampMs } from '#kernel/ical/date-value.ts';
import type { RawEvent } from '#kernel/ical/read-event.ts';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { originalStart } from '#kernel/recurrence/split-series.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { parseLocal, parseLocalDate, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { makeRecId, parseRecId } from '#kernel/time/rec-id.ts';
import { utc } from '#kernel/time/zones.ts';
import type { Sliced } from '#kernel/work-budget.ts';

/** A change that says nothing of an end leaves the length as it is. */
export function lengthened({ when: own }: Series, raw: RawEvent, when: When): When {
  if (raw.one.has('DTEND') || raw.one.has('DURATION')) return when;
  if (own.kind !== 'all-day') return when.kind === 'all-day' ? when : { ...when, duration: own.duration };
  if (when.kind !== 'all-day') return when;
  const lengthMs = (parseLocalDate(own.end) ?? 0) - (parseLocalDate(own.start) ?? 0);
  return { ...when, end: printLocalDate(clampMs((parseLocalDate(when.start) ?? 0) + lengthMs)) };
}

/** A changed time in UTC says nothing of a zone: the series keeps its own, and its hour over changes of the clocks. */
export function inZoneOf(series: Series, when: When): When {
  if (series.when.kind !== 'zoned' || when.kind !== 'zoned' || when.zone !== 'UTC') return when;
  const zone = loadEventZone(series.when.zone) ?? utc;
  return { ...when, zone: zone.id, start: printLocalDateTime(zone.toLocal(parseLocal(when.start) ?? 0)) };
}

/** A change of the instance `until` and all before it: one of all from the first on, and one that ends it. */
export function withPrior(series: Series, until: RecId, to: FollowingChange['to']): FollowingChange[] {
  const { when, core, rules, exRules, extraDates } = series;
  const zone = when.kind === 'zoned' ? (loadEventZone(when.zone) ?? utc) : null;
  const original = openSeries({ start: when.start, zone: zone?.id ?? null, rules, exRules, extraDates, exdates: [] });
  const untilMs = parseRecId(until)?.ms ?? 0;
  const localOf = (ms: number) => zone?.toLocal(ms) ?? ms;
  const firstMs = original.firstMs();
  const changes: FollowingChange[] = [
    { from: makeRecId(when.kind, firstMs), to: to && movedBy(to, localOf(firstMs) - localOf(untilMs)) },
  ];
  const [nextMs] = original.startsFrom(untilMs + 1);
  if (nextMs !== undefined) {
    const back = movedBy({ when, core }, localOf(nextMs) - (parseLocal(when.start) ?? 0));
    changes.push({ from: makeRecId(when.kind, nextMs), to: back });
  }
  return changes;
}

/** The same on another day of the wall clock. */
function movedBy<Instance extends { when: When }>(instance: Instance, byMs: number): Instance {
  const { when } = instance;
  const moved = (local: string) => clampMs((parseLocal(local) ?? 0) + byMs);
  if (when.kind !== 'all-day') return { ...instance, when: { ...when, start: printLocalDateTime(moved(when.start)) } };
  const [start, end] = [printLocalDate(moved(when.start)), printLocalDate(moved(when.end))];
  return { ...instance, when: { kind: 'all-day', start, end } };
}

/**
 * The series with its changes. RFC 5545 3.8.4.4 names an instance by its original start. An exclusion or override that names
 * no original start, but one that a change made, means the instance that moved there.
 */
export function* splitByChanges(series: Series, changes: FollowingChange[]): Sliced<SplitSeries> {
  const { when, rules, exRules, extraDates, exdates, overrides } = series;
  const zone = when.kind === 'zoned' ? when.zone : null;
  const original = openSeries({ start: when.start, zone, rules, exRules, extraDates, exdates: [] });
  let stepsLeft: number = eventLimits.steps;
  const has = (ms: number): boolean => {
    const { startsMs, steps } = original.between(ms, ms + 1, { instances: 1, steps: stepsLeft });
    stepsLeft -= steps;
    return startsMs.length > 0;
  };
  const nameOf = (recId: RecId): RecId => {
    const ms = parseRecId(recId)?.ms;
    if (ms === undefined || stepsLeft <= 0 || has(ms)) return recId;
    stepsLeft -= changes.length;
    const candidates = changes.flatMap((_, at) => originalStart(when, changes, at, ms) ?? []);
    const found = candidates.find((candidate) => stepsLeft > 0 && has(candidate));
    return found === undefined ? recId : makeRecId(when.kind, found);
  };
  const named: Series['overrides'] = {};
  for (const [recId, override] of Object.entries(overrides)) {
    yield;
    const name = nameOf(recId);
    // the original one of two names for an instance counts
    if (name === recId || overrides[name] === undefined) named[name] = override;
  }
  const excluded = new Set<RecId>();
  for (const recId of exdates) {
    yield;
    const name = nameOf(recId);
    if (named[name] === undefined) excluded.add(name);
  }
  return { kind: 'split', series: { ...series, exdates: [...excluded].sort(), overrides: named }, changes };
}
