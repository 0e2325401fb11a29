import type { EventBody, RecId, Series } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { dayMs, hourMs } from '#kernel/time/civil.ts';
import { parseLocal, printLocalDateTime } from '#kernel/time/local.ts';
import { makeRecId, parseRecId } from '#kernel/time/rec-id.ts';
import { loadZone } from '#kernel/time/zones.ts';

export interface Instant {
  recId: RecId | '';
  startMs: number;
  endMs: number;
}

/** When an event is: its bounds over all time, and its instances in the kept window. *Units*: epoch ms. */
export interface Instants {
  startMs: number | null;
  endMs: number | null;
  instances: readonly Instant[];
}

/** Clocks are set by less than this, except at the date line. */
const longestShiftMs = 6 * hourMs;

/**
 * True where other instants follow from an event than are stored. `fromMs` is the start of the window of `computed`. Stored
 * instances may be those of an earlier day's window, so only what both windows cover counts.
 */
export function haveMoved(stored: Instants, computed: Instants, fromMs: number): boolean {
  if (stored.startMs !== computed.startMs || stored.endMs !== computed.endMs) return true;
  const one = covered(stored, stored, fromMs).map(keyOf).sort();
  const other = covered(computed, stored, fromMs).map(keyOf).sort();
  return one.length !== other.length || one.some((key, n) => key !== other[n]);
}

/** A single event whose provider keeps its instant, with what the clock of its zone shows then. */
export function atSameInstant(body: EventBody, { startMs }: Instants): EventBody {
  if (body.kind !== 'single' || body.when.kind !== 'zoned' || startMs === null) return body;
  const zone = loadZone(body.when.zone);
  if (zone === null || zone.toInstant(parseLocal(body.when.start) ?? 0) === startMs) return body;
  return { ...body, when: { ...body.when, start: printLocalDateTime(zone.toLocal(startMs)) } };
}

/**
 * The new names of instances that moved, which are named by their original start in UTC. Names that are in both lists are
 * left out.
 */
export function renamedInstances(stored: Instants, computed: Instants, fromMs: number): Map<RecId, RecId> {
  const before = namesIn(covered(stored, stored, fromMs));
  const after = namesIn(covered(computed, stored, fromMs, longestShiftMs));
  const left = [...before].filter((ms) => !after.has(ms)).sort(ascending);
  const come = [...after].filter((ms) => !before.has(ms)).sort(ascending);
  const renamed = new Map<RecId, RecId>();
  let next = 0;
  for (const ms of left) {
    while (next < come.length && (come[next] as number) < ms - longestShiftMs) next += 1;
    const to = come[next];
    if (to === undefined || to > ms + longestShiftMs) continue;
    renamed.set(makeRecId('zoned', ms), makeRecId('zoned', to));
    next += 1;
  }
  return renamed;
}

/**
 * A series whose exceptions name the instances that they named before: those that no instance has now are shifted as their
 * nearest neighbor in `renamed`, where an instance is there. Adds their names to `renamed`.
 */
export function renameExceptions(body: EventBody, renamed: Map<RecId, RecId>): EventBody {
  if (body.kind !== 'series' || body.when.kind !== 'zoned') return body;
  const shifts = [...renamed].map(([from, to]) => ({ atMs: msOf(from), byMs: msOf(to) - msOf(from) }));
  const moments = [...body.exdates, ...Object.keys(body.overrides)].map(msOf).filter(Number.isFinite).sort(ascending);
  if (shifts.length === 0 || moments.length === 0) return body;
  const starts = startsOf(body, moments);
  let nearest = 0;
  for (const ms of moments) {
    const distance = (n: number) => Math.abs((shifts[n]?.atMs ?? Number.POSITIVE_INFINITY) - ms);
    while (distance(nearest + 1) <= distance(nearest)) nearest += 1;
    const toMs = ms + (shifts[nearest]?.byMs ?? 0);
    if (!starts.has(ms) && starts.has(toMs)) renamed.set(makeRecId('zoned', ms), makeRecId('zoned', toMs));
  }
  const newName = (name: RecId) => renamed.get(name) ?? name;
  return {
    ...body,
    exdates: [...new Set(body.exdates.map(newName))].sort(),
    overrides: Object.fromEntries(Object.entries(body.overrides).map(([name, one]) => [newName(name), one])),
  };
}

/** All starts that the rules and dates of a series give around these moments, which ascend. */
function startsOf(body: Series, moments: readonly number[]): Set<number> {
  const window = { fromMs: (moments[0] ?? 0) - dayMs, toMs: (moments.at(-1) ?? 0) + dayMs };
  const { list } = occurrencesOf({ ...body, exdates: [], overrides: {} }, 'UTC', 'UTC', window, eventLimits);
  return new Set(list.map(({ recId }) => msOf(recId)));
}

/** The instances that a window of an earlier day has as well: up to the last stored one. A single event has one, always. */
function covered({ instances }: Instants, stored: Instants, fromMs: number, slackMs = 0): Instant[] {
  const lastMs = stored.instances.reduce((last, { startMs }) => Math.max(last, startMs), Number.NEGATIVE_INFINITY);
  return instances.filter(
    ({ recId, startMs }) => recId === '' || (startMs >= fromMs + dayMs && startMs <= lastMs + slackMs),
  );
}

/** In epoch ms; names without a zone are left out. */
function namesIn(list: readonly Instant[]): Set<number> {
  return new Set(list.flatMap(({ recId }) => (recId.endsWith('Z') ? msOf(recId) : [])));
}

const keyOf = ({ recId, startMs, endMs }: Instant) => `${recId} ${startMs} ${endMs}`;
const msOf = (recId: RecId) => parseRecId(recId)?.ms ?? Number.NaN;
const ascending = (a: number, b: number) => a - b;
