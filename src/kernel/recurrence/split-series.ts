import type { Core, FollowingChange, RecId, SplitSeries, When } from '#kernel/event.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { durationFrom } from '#kernel/time/duration.ts';
import { loadEventZone } from '#kernel/time/event-zone.ts';
import { maxLocalMs, minLocalMs, parseLocal, printLocalDate, printLocalDateTime } from '#kernel/time/local.ts';
import { parseRecId } from '#kernel/time/rec-id.ts';
import { utc, type Zone } from '#kernel/time/zones.ts';

/** Instances of a series that are alike but for their day. Starts are as the series has them, before they move. */
export interface Part {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  /** The longest an instance can be. */
  longestMs: number;
  /** How far the wall clock moves, that of another zone included. */
  shiftMs: number;
  /** Null for the part before the first change. */
  moved: { core: Core; whenOf(seriesMs: number): When | null } | null;
}

interface Master {
  when: When;
  longestMs: number;
  /** Null for series whose starts are local ms. */
  zone: Zone | null;
}

/**
 * The parts of a series, ascending; a cancelled part is left out. Starts move on the wall clock, so that a meeting keeps its
 * hour over a change of the clocks: the same rule from a new DTSTART.
 * *Source*: RFC 5545 3.2.13.
 */
export function partsOf(
  master: Master,
  changes: readonly FollowingChange[],
  longestOf: (when: When) => number,
): Part[] {
  const boundOf = (at: number) => {
    const change = changes[at];
    return change === undefined ? Number.POSITIVE_INFINITY : fromOf(change);
  };
  const { longestMs } = master;
  const before: Part = { fromMs: Number.NEGATIVE_INFINITY, toMs: boundOf(0), longestMs, shiftMs: 0, moved: null };
  const parts = changes.flatMap((change, at): Part[] => {
    if (change.to === null) return [];
    const { when, core } = change.to;
    const shiftMs = shiftOf(fromOf(change), when, master);
    const whenOf = (seriesMs: number) => movedTo(when, wallOf(seriesMs, master) + shiftMs);
    const toMs = boundOf(at + 1);
    return [{ fromMs: fromOf(change), toMs, longestMs: longestOf(when), shiftMs, moved: { core, whenOf } }];
  });
  return [before, ...parts];
}

/** A change of floating times as they are read in a zone. All its instances are as long as its first. */
export function withLengthOfFirst(change: FollowingChange, zone: Zone): FollowingChange {
  const { to } = change;
  if (to?.when.kind !== 'floating') return change;
  const duration = durationFrom(to.when.duration, parseLocal(to.when.start) ?? 0, zone);
  return { ...change, to: { ...to, when: { ...to.when, duration } } };
}

/** The instance of this name as the last change at or before it has it: null before the first, `gone` where it is cancelled. */
export function changedInstance(
  { series, changes }: SplitSeries,
  recId: RecId,
): { when: When; core: Core } | 'gone' | null {
  const { when } = series;
  const seriesMs = parseRecId(recId)?.ms;
  const change = seriesMs === undefined ? undefined : changes.findLast((one) => fromOf(one) <= seriesMs);
  if (seriesMs === undefined || change === undefined) return null;
  if (change.to === null) return 'gone';
  const zone = when.kind === 'zoned' ? (loadEventZone(when.zone) ?? utc) : null;
  const master = { when, longestMs: 0, zone };
  const shiftMs = shiftOf(fromOf(change), change.to.when, master);
  const moved = movedTo(change.to.when, wallOf(seriesMs, master) + shiftMs);
  return moved === null ? 'gone' : { when: moved, core: change.to.core };
}

/**
 * The original start of the instance that a change moved to `movedMs`; null where that change moves none there. A time in
 * the form of the series: epoch ms, or local ms.
 */
export function originalStart(
  when: When,
  changes: readonly FollowingChange[],
  at: number,
  movedMs: number,
): number | null {
  const change = changes[at];
  if (change === undefined || change.to === null || change.to.when.kind !== when.kind) return null;
  const zoneOf = (of: When) => (of.kind === 'zoned' ? (loadEventZone(of.zone) ?? utc) : utc);
  const zone = when.kind === 'zoned' ? zoneOf(when) : null;
  const fromMs = fromOf(change);
  const shiftMs = shiftOf(fromMs, change.to.when, { when, longestMs: 0, zone });
  const originalMs = zoneOf(when).toInstant(zoneOf(change.to.when).toLocal(movedMs) - shiftMs);
  const next = changes[at + 1];
  const isWithin = originalMs >= fromMs && (next === undefined || originalMs < fromOf(next));
  return isWithin ? originalMs : null;
}

const fromOf = ({ from }: FollowingChange): number => parseRecId(from)?.ms ?? Number.POSITIVE_INFINITY;

const shiftOf = (fromMs: number, when: When, master: Master): number =>
  (parseLocal(when.start) ?? 0) - wallOf(fromMs, master);

/** A start on the wall clock as the rule has it: one in a gap of the clocks has become a later one. */
function wallOf(seriesMs: number, { when, zone }: Master): number {
  if (zone === null) return seriesMs;
  const localMs = zone.toLocal(seriesMs);
  const startMs = parseLocal(when.start) ?? 0;
  const usualMs = dayOf(localMs) + startMs - dayOf(startMs);
  return zone.toInstant(usualMs) === seriesMs ? usualMs : localMs;
}

/** Null where it leaves the years that can be written. */
function movedTo(when: When, localMs: number): When | null {
  if (!(localMs >= minLocalMs && localMs <= maxLocalMs)) return null;
  if (when.kind !== 'all-day') return { ...when, start: printLocalDateTime(localMs) };
  const endMs = dayOf(localMs) + (parseLocal(when.end) ?? 0) - (parseLocal(when.start) ?? 0);
  if (endMs > maxLocalMs) return null;
  return { ...when, start: printLocalDate(localMs), end: printLocalDate(endMs) };
}

const dayOf = (localMs: number): number => Math.floor(localMs / dayMs) * dayMs;
