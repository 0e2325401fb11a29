import { dayMs } from '#kernel/time/civil.ts';

/**
 * A time zone as a table of its offset changes, so that a conversion is a comparison and a subtraction
 * (about 0.01 us) where Temporal takes 0.65 us. Equal to Temporal with `disambiguation: 'compatible'`,
 * which is RFC 5545 section 3.3.5: a time in a gap is read with the offset before it, a doubled time is the first.
 */
export interface Zone {
  /** IANA name in its proper spelling, or `UTC`. */
  readonly id: string;
  /** The instant of a wall-clock time. *Units*: local ms in, epoch ms out. */
  toInstant(localMs: number): number;
  /** The wall-clock time of an instant. *Units*: epoch ms in, local ms out. */
  toLocal(instantMs: number): number;
  /** Offset from the instant to the wall clock, in ms. */
  offsetAt(instantMs: number): number;
}

const yearMs = 365.2425 * dayMs;
/** The table grows by this much at a time, and never beyond these bounds: at most about 1,300 changes a zone. */
const blockMs = 20 * yearMs;
const tableFromMs = Math.floor(-180 * yearMs); // 1790
const tableToMs = Math.floor(430 * yearMs); // 2400
/** 2^31 ms, just under 25 days: few stretches hold more than one change. */
const strideMs = 2_147_483_648;
/** No zone ever moved its clock by more than a day. */
const maxShiftMs = dayMs + 1;

class TableZone implements Zone {
  readonly id: string;
  /** Segment i holds from `changeMs[i]` (instant) and from `wallMs[i]` (local ms) on, with `offsetMs[i]`. */
  #changeMs: number[] = [];
  #wallMs: number[] = [];
  #offsetMs: number[] = [];
  #loadedFromMs = 0;
  #loadedToMs = 0;
  /** The same for look-ups: where each segment begins, and after the last one the end of the table. */
  #walls = new Float64Array(0);
  #changes = new Float64Array(0);
  #offsets = new Float64Array(0);
  /** The segment at the beginning of each stretch of `strideMs`: a look-up instead of a search. */
  #wallIndex: Uint16Array = new Uint16Array(0);
  #index: Uint16Array = new Uint16Array(0);
  #indexFromMs = 0;
  // The segment hit last: neighbouring times nearly always share it.
  #wallLow = 1;
  #wallHigh = 0;
  #wallOffset = 0;
  #low = 1;
  #high = 0;
  #offset = 0;

  constructor(id: string) {
    this.id = id;
  }

  toInstant(localMs: number): number {
    if (localMs >= this.#wallLow && localMs < this.#wallHigh) return localMs - this.#wallOffset;
    if (!(localMs > tableFromMs + maxShiftMs && localMs < tableToMs - maxShiftMs)) return askInstant(this.id, localMs);
    if (localMs - maxShiftMs < this.#loadedFromMs || localMs + maxShiftMs >= this.#loadedToMs) this.#load(localMs);
    const at = segmentAt(this.#walls, this.#wallIndex[Math.floor((localMs - this.#indexFromMs) / strideMs)], localMs);
    this.#wallOffset = this.#offsets[at] as number;
    this.#wallLow = this.#walls[at] as number;
    this.#wallHigh = this.#walls[at + 1] as number;
    return localMs - this.#wallOffset;
  }

  offsetAt(instantMs: number): number {
    if (instantMs >= this.#low && instantMs < this.#high) return this.#offset;
    if (!(instantMs > tableFromMs + maxShiftMs && instantMs < tableToMs - maxShiftMs)) {
      return askOffset(this.id, instantMs);
    }
    if (instantMs - maxShiftMs < this.#loadedFromMs || instantMs + maxShiftMs >= this.#loadedToMs) {
      this.#load(instantMs);
    }
    const at = segmentAt(this.#changes, this.#index[Math.floor((instantMs - this.#indexFromMs) / strideMs)], instantMs);
    this.#offset = this.#offsets[at] as number;
    this.#low = this.#changes[at] as number;
    this.#high = this.#changes[at + 1] as number;
    return this.#offset;
  }

  toLocal(instantMs: number): number {
    return instantMs + this.offsetAt(instantMs);
  }

  /** Grows the table until it covers the time and two days around it. */
  #load(aroundMs: number): void {
    const first = this.#loadedFromMs === this.#loadedToMs;
    if (first) {
      const startMs = Math.max(tableFromMs, Math.floor((aroundMs - blockMs / 2) / 1000) * 1000);
      this.#loadedFromMs = startMs;
      this.#loadedToMs = startMs;
      this.#changeMs = [startMs];
      this.#wallMs = [Number.NEGATIVE_INFINITY];
      this.#offsetMs = [askOffset(this.id, startMs)];
    }
    while (aroundMs + 2 * maxShiftMs >= this.#loadedToMs && this.#loadedToMs < tableToMs) {
      const toMs = Math.min(tableToMs, this.#loadedToMs + blockMs);
      this.#append(changesBetween(this.id, this.#loadedToMs, toMs));
      this.#loadedToMs = toMs;
    }
    while (aroundMs - 2 * maxShiftMs < this.#loadedFromMs && this.#loadedFromMs > tableFromMs) {
      const fromMs = Math.max(tableFromMs, this.#loadedFromMs - blockMs);
      const later = this.#changeMs.slice(1).map((atMs, i) => ({ atMs, offsetMs: this.#offsetMs[i + 1] as number }));
      const earlier = changesBetween(this.id, fromMs, this.#loadedFromMs);
      this.#changeMs = [fromMs];
      this.#wallMs = [Number.NEGATIVE_INFINITY];
      this.#offsetMs = [askOffset(this.id, fromMs)];
      this.#append(earlier);
      this.#append(later);
      this.#loadedFromMs = fromMs;
    }
    this.#buildIndexes();
  }

  #buildIndexes(): void {
    this.#walls = Float64Array.of(
      this.#loadedFromMs + maxShiftMs,
      ...this.#wallMs.slice(1),
      this.#loadedToMs - maxShiftMs,
    );
    this.#changes = Float64Array.of(...this.#changeMs, this.#loadedToMs);
    this.#offsets = Float64Array.from(this.#offsetMs);
    this.#indexFromMs = this.#loadedFromMs - maxShiftMs;
    const size = Math.ceil((this.#loadedToMs + maxShiftMs - this.#indexFromMs) / strideMs) + 1;
    this.#index = indexOf(this.#changeMs, this.#indexFromMs, size);
    this.#wallIndex = indexOf(this.#wallMs, this.#indexFromMs, size);
  }

  #append(changes: { atMs: number; offsetMs: number }[]): void {
    for (const { atMs, offsetMs } of changes) {
      const beforeMs = this.#offsetMs.at(-1) as number;
      this.#changeMs.push(atMs);
      this.#offsetMs.push(offsetMs);
      // Gap or overlap, 'compatible' keeps the offset before the change until the later of the two wall clocks.
      this.#wallMs.push(atMs + Math.max(beforeMs, offsetMs));
    }
  }
}

/** The segment that a time is in, from the one where its stretch begins on; the time is before the end of the table. */
function segmentAt(begins: Float64Array, first: number | undefined, atMs: number): number {
  let at = first ?? 0;
  while ((begins[at + 1] as number) <= atMs) at += 1;
  return at;
}

/** For each stretch of `strideMs` from `fromMs` on, the last of the sorted times that is not after its beginning. */
function indexOf(sorted: number[], fromMs: number, size: number): Uint16Array {
  const index = new Uint16Array(size);
  let at = 0;
  for (let i = 0; i < size; i += 1) {
    while (at + 1 < sorted.length && (sorted[at + 1] as number) <= fromMs + i * strideMs) at += 1;
    index[i] = at;
  }
  return index;
}

/** The reach of Temporal, less a day for the wall clock. */
const reachMs = 8.64e15 - dayMs;

function inReach(ms: number): number {
  return Math.max(-reachMs, Math.min(reachMs, Math.floor(ms)));
}

function askOffset(id: string, instantMs: number): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(inReach(instantMs)).toZonedDateTimeISO(id);
  return zoned.offsetNanoseconds / 1_000_000;
}

function askInstant(id: string, localMs: number): number {
  const reachable = inReach(localMs);
  const wall = Temporal.Instant.fromEpochMilliseconds(reachable).toZonedDateTimeISO('UTC').toPlainDateTime();
  return wall.toZonedDateTime(id, { disambiguation: 'compatible' }).epochMilliseconds + (localMs - reachable);
}

/** Offset changes with fromMs < atMs <= toMs. */
function changesBetween(id: string, fromMs: number, toMs: number): { atMs: number; offsetMs: number }[] {
  const changes: { atMs: number; offsetMs: number }[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(id).getTimeZoneTransition('next');
  while (at !== null && at.epochMilliseconds <= toMs) {
    changes.push({ atMs: at.epochMilliseconds, offsetMs: at.offsetNanoseconds / 1_000_000 });
    at = at.getTimeZoneTransition('next');
  }
  return changes;
}

/** By their ids. */
const zones = { named: new Map<string, Zone>(), unnamed: new Map<string, Zone>() };
/** A name, never an offset and never one of the longer strings that Temporal also takes for a zone. */
const namePattern = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/**
 * The zone of an IANA name (any case, links kept as they are) or `UTC`; null when there is no such zone.
 * Cached: at most one table for each name of the tz database.
 */
export function loadZone(id: string): Zone | null {
  const cached = zones.named.get(id);
  if (cached !== undefined) return cached;
  if (id.length > 64 || !namePattern.test(id)) return null;
  const name = properName(id);
  if (name === null) return null;
  const known = zones.named.get(name);
  if (known !== undefined) return known;
  const zone = new TableZone(name);
  zones.named.set(name, zone);
  return zone;
}

const maxUnnamed = 1_000;

/** A zone whose id is no name, made once; where they become many, all are forgotten. */
export function unnamedZone(id: string, make: () => Zone | null): Zone | null {
  const known = zones.unnamed.get(id);
  if (known !== undefined) return known;
  const zone = make();
  if (zone === null) return null;
  if (zones.unnamed.size >= maxUnnamed) zones.unnamed.clear();
  zones.unnamed.set(id, zone);
  return zone;
}

function properName(id: string): string | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(id).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** True for a wall-clock time that the clocks leave out: `toInstant` gives the one after the gap. *Units*: local ms. */
export const isSkipped = (zone: Zone, localMs: number) => zone.toLocal(zone.toInstant(localMs)) !== localMs;

/** The zone in which the wall clock is the instant; also stands for "no zone": local ms in, local ms out. */
export const utc = loadZone('UTC') as Zone;
