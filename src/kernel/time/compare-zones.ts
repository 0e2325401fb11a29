import { windowsZones } from '#kernel/ical/windows-zones.ts';
import { dayMs, dayNumber } from '#kernel/time/civil.ts';
import { type Change, type Clock, yearOf } from '#kernel/time/observances.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';

/** Wall-clock times that may be other instants. *Units*: local ms, half-open. */
export interface Difference {
  fromMs: number;
  toMs: number;
}

export function offsetIn({ baseMs, changes }: Clock, atMs: number): number {
  return changes.findLast((change) => change.atMs <= atMs)?.offsetMs ?? baseMs;
}

/** When a zone and a clock show different times, on the wall clocks of both. */
export function differencesOf(zone: Zone, clock: Clock, fromMs: number, toMs: number): Difference[] {
  const bounds = [...clock.changes, ...changesBetween(zone, fromMs, toMs)].map(({ atMs }) => atMs);
  const ascending = [fromMs, ...new Set(bounds), toMs].sort((a, b) => a - b);
  const differences: Difference[] = [];
  for (const [at, startMs] of ascending.entries()) {
    const endMs = ascending[at + 1];
    const [one, other] = [zone.offsetAt(startMs), offsetIn(clock, startMs)];
    if (endMs === undefined || one === other) continue;
    differences.push({ fromMs: startMs + Math.min(one, other), toMs: endMs + Math.max(one, other) });
  }
  return differences;
}

/** So far from each other clock changes may lie that are meant to be the same. */
const nearMs = 8 * dayMs;

/** Zones with the same offsets in the same order, whose clocks change within days, the nearest first. */
export function nearestTo(wanted: Clock, fromMs: number, toMs: number): Zone[] {
  const near: { zone: Zone; distanceMs: number }[] = [];
  const changes = wanted.changes.filter(({ atMs }) => atMs < toMs);
  if (changes.length === 0) return [];
  for (const zone of candidates()) {
    if (zone.offsetAt(fromMs) !== wanted.baseMs) continue;
    const own = changesBetween(zone, fromMs, toMs);
    if (own.length !== changes.length) continue;
    const distances = own.map(({ atMs, offsetMs }, at) => {
      const change = changes[at];
      return change?.offsetMs === offsetMs ? Math.abs(change.atMs - atMs) : Number.POSITIVE_INFINITY;
    });
    if (Math.max(...distances) > nearMs) continue;
    near.push({ zone, distanceMs: distances.reduce((sum, one) => sum + one, 0) });
  }
  return near.toSorted((a, b) => a.distanceMs - b.distanceMs).map(({ zone }) => zone);
}

/** The clock changes of a zone. */
function changesBetween(zone: Zone, fromMs: number, toMs: number): Change[] {
  const changes: Change[] = [];
  for (let at = fromMs, offsetMs = zone.offsetAt(fromMs); at < toMs; at += sampleMs) {
    const next = Math.min(at + sampleMs, toMs);
    if (zone.offsetAt(next) === offsetMs) continue;
    let [before, after] = [at, next];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (zone.offsetAt(middle) === offsetMs) before = middle;
      else after = middle;
    }
    offsetMs = zone.offsetAt(next);
    changes.push({ atMs: after, offsetMs });
  }
  return changes;
}

export const historyStepMs = 2 * dayMs;
/** From 0 to 365. */
export const dayOfYear = (ms: number) => Math.floor((ms - dayNumber(yearOf(ms), 1, 1) * dayMs) / dayMs);

/** The days of the year on which a zone had an offset. */
export function historyOf(zone: Zone): Map<number, Set<number>> {
  const history = new Map<number, Set<number>>();
  for (let at = dayNumber(1970, 1, 1) * dayMs; at < dayNumber(2040, 1, 1) * dayMs; at += historyStepMs) {
    const offsetMs = zone.offsetAt(at);
    const days = history.get(offsetMs) ?? new Set();
    history.set(offsetMs, days.add(dayOfYear(at)));
  }
  return history;
}

let zoneList: Zone[] | undefined;

/** The zones that stand for a Windows zone first: they are the ones that people mean. */
export function candidates(): Zone[] {
  if (zoneList === undefined) {
    const names = new Set([...preferred, ...Object.values(windowsZones), ...Intl.supportedValuesOf('timeZone')]);
    zoneList = [...names].map(loadZone).filter((zone) => zone !== null);
  }
  return zoneList;
}

const preferred = [
  'UTC',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Paris',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
];

const sampleMs = 14 * dayMs;

/** Whether a zone is a clock in a stretch of time. */
export function agrees(zone: Zone, wanted: Clock, fromMs: number, toMs: number): boolean {
  if (zone.offsetAt(fromMs) !== wanted.baseMs) return false;
  let offsetMs = wanted.baseMs;
  let at = fromMs;
  for (const change of [...wanted.changes, { atMs: toMs, offsetMs: Number.NaN }]) {
    // No change that the VTIMEZONE does not have: the shortest summer time (Ramadan breaks) lasts over four weeks.
    for (; at < change.atMs; at += sampleMs) if (zone.offsetAt(at) !== offsetMs) return false;
    if (zone.offsetAt(change.atMs - 1) !== offsetMs) return false;
    if (Number.isNaN(change.offsetMs)) break;
    if (zone.offsetAt(change.atMs) !== change.offsetMs) return false;
    offsetMs = change.offsetMs;
    at = change.atMs;
  }
  return true;
}
