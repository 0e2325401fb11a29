import type { Core, EventBody, Instances as ListedInstances, RecId, Series, When } from '#kernel/event.ts';
import { eventLimits } from '#kernel/event.ts';
import { equalJson } from '#kernel/event-hash.ts';
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

/**
 * An event whose provider keeps instants, with what the clocks of its zones show then: a single event, the changed instances
 * of a series, and instances without a rule. The instances of a rule follow the clock.
 */
export function atSameInstant(body: EventBody, stored: Instants): EventBody {
  if (body.kind === 'single') return withWhen(body, whenAt(body.when, stored.startMs));
  if (body.kind !== 'series' && body.kind !== 'instances') return body;
  const startOf = new Map<RecId, number>(stored.instances.map(({ recId, startMs }) => [recId, startMs]));
  return withOwnTimes(body, (name, own) => {
    const startMs = startOf.get(name);
    if (startMs === undefined) return null;
    return body.kind === 'series' && startMs === msOf(name) && equalJson(own.core, body.core) ? null : startMs;
  });
}

/**
 * The same of changed instances outside the stored window, which have no stored instant: with their names, they would have
 * moved as far as those did.
 */
export function farAtSameInstant(
  body: EventBody,
  { instances }: Instants,
  renamed: ReadonlyMap<RecId, RecId>,
): EventBody {
  if (body.kind !== 'series') return body;
  const near = new Set(instances.map(({ recId }) => recId));
  const shiftOf = new Map([...renamed].flatMap(([from, to]) => (near.has(from) ? [] : [[to, msOf(to) - msOf(from)]])));
  return withOwnTimes(body, (name, { when, core }) => {
    const byMs = shiftOf.get(name);
    if (byMs === undefined || when.kind !== 'zoned') return null;
    const startMs = loadZone(when.zone)?.toInstant(parseLocal(when.start) ?? 0) ?? null;
    if (startMs === null || (startMs === msOf(name) && equalJson(core, body.core))) return null;
    return startMs - byMs;
  });
}

interface Own {
  when: When;
  core: Core;
}

/** A body whose changed instances are at these instants; null: as it is. */
function withOwnTimes<Body extends Series | ListedInstances>(
  body: Body,
  startOf: (name: RecId, own: Own) => number | null,
): Body {
  const owns = body.kind === 'series' ? body.overrides : body.list;
  let isSame = true;
  const moved = Object.entries(owns).map(([name, own]): [RecId, Own] => {
    const set = withWhen(own, whenAt(own.when, startOf(name, own)));
    isSame &&= set === own;
    return [name, set];
  });
  if (isSame) return body;
  const list = Object.fromEntries(moved);
  return body.kind === 'series' ? { ...body, overrides: list } : { ...body, list };
}

const withWhen = <Event extends { when: When }>(event: Event, when: When): Event =>
  when === event.when ? event : { ...event, when };

function whenAt(when: When, startMs: number | null): When {
  if (when.kind !== 'zoned' || startMs === null) return when;
  const zone = loadZone(when.zone);
  if (zone === null || zone.toInstant(parseLocal(when.start) ?? 0) === startMs) return when;
  return { ...when, start: printLocalDateTime(zone.toLocal(startMs)) };
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
