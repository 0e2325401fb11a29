import { dayMs, dayNumber, secondMs } from '#kernel/time/civil.ts';
import { parseBasic, printBasicDateTime } from '#kernel/time/local.ts';
import { type Clock, clockOf, type Observance, type YearlyRule } from '#kernel/time/observances.ts';
import { loadZone, unnamedZone, type Zone } from '#kernel/time/zones.ts';

/**
 * Zones of events that no IANA zone equals. Their id holds the definition, so that an event carries it wherever it goes:
 * `Own.-12600` is a fixed offset in seconds, `Own.2026.7200/7200.10800.Y16010101T020000m3w6n2/…` a base offset at the start
 * of a year and the changes from then on. It is a TZID that needs no quotes. Only this file reads and writes it.
 */
const prefix = 'Own.';
const maxIdChars = 4_000;
/** Two changes a year for a century. */
const maxDates = 200;

export interface Definition {
  /** The offset before all changes, in ms. */
  baseMs: number;
  /** The year in which the changes begin. */
  fromYear: number;
  observances: Observance[];
}

/** The zone that a VTIMEZONE describes from a year on; null where it has more changes than an id holds. */
export function ownZone(observances: readonly Observance[], fromYear: number): Zone | null {
  const fromMs = dayNumber(fromYear, 1, 1) * dayMs;
  const { baseMs } = clockOf(observances, fromMs, fromMs);
  const later = observances
    .map(({ fromMs: beforeMs, toMs, dates, rule }) => ({
      fromMs: beforeMs,
      toMs,
      dates: [...new Set(dates)].filter((local) => local - beforeMs > fromMs),
      rule: rule !== null && rule.untilMs > fromMs ? rule : null,
    }))
    .filter(({ dates, rule }) => dates.length > 0 || rule !== null);
  if (later.reduce((sum, { dates }) => sum + dates.length, 0) > maxDates) return null;
  const id = later.length === 0 ? fixedId(baseMs) : printId({ baseMs, fromYear, observances: later });
  return id.length > maxIdChars ? null : loadOwnZone(id);
}

/** A clock that never changes. */
export const fixedZone = (offsetMs: number) => loadOwnZone(fixedId(offsetMs)) as Zone;

const fixedId = (offsetMs: number) => `${prefix}${offsetMs / secondMs}`;

function printId({ baseMs, fromYear, observances }: Definition): string {
  const parts = observances.map(({ fromMs, toMs, dates, rule }) =>
    [
      fromMs / secondMs,
      toMs / secondMs,
      ...dates.map(printBasicDateTime),
      ...(rule === null ? [] : [printRule(rule)]),
    ].join('.'),
  );
  return `${prefix}${[`${fromYear}.${baseMs / secondMs}`, ...parts].join('/')}`;
}

function printRule({ startMs, month, weekday, nth, monthDays, untilMs }: YearlyRule): string {
  const day = weekday === null ? '' : `w${weekday}n${nth}`;
  const days = monthDays === null ? '' : `d${monthDays.join('_')}`;
  const until = Number.isFinite(untilMs) ? `u${printBasicDateTime(untilMs)}` : '';
  return `Y${printBasicDateTime(startMs)}m${month}${day}${days}${until}`;
}

/** The definition in the id of such a zone; null for all other ids. */
export function definitionOf(id: string): Definition | null {
  if (!id.startsWith(prefix) || id.length > maxIdChars) return null;
  const [head = '', ...parts] = id.slice(prefix.length).split('/');
  const [, year, base] = /^(?:(\d{4})\.)?(-?\d{1,5})$/.exec(head) ?? [];
  if (base === undefined || (year === undefined) !== (parts.length === 0)) return null;
  const observances = parts.map(parseObservance).filter((one) => one !== null);
  if (observances.length < parts.length) return null;
  return { baseMs: Number(base) * secondMs, fromYear: Number(year ?? 0), observances };
}

function parseObservance(part: string): Observance | null {
  const [from = '', to = '', ...onsets] = part.split('.');
  if (![from, to].every((text) => /^-?\d{1,5}$/.test(text))) return null;
  const ruleText = onsets.at(-1)?.startsWith('Y') ? onsets.pop() : undefined;
  const rule = ruleText === undefined ? null : parseRule(ruleText);
  const dates = onsets.map((text) => parseBasic(text)?.ms).filter((ms) => ms !== undefined);
  if (dates.length < onsets.length || (ruleText !== undefined && rule === null)) return null;
  return { fromMs: Number(from) * secondMs, toMs: Number(to) * secondMs, dates, rule };
}

const rulePattern =
  /^Y(\d{8}T\d{6})m(\d{1,2})(?:w([0-6])n(-?[1-5]))?(?:d(-?\d{1,2}(?:_-?\d{1,2}){0,30}))?(?:u(\d{8}T\d{6}))?$/;

function parseRule(text: string): YearlyRule | null {
  const [, start, month, weekday, nth, days, until] = rulePattern.exec(text) ?? [];
  const startMs = start === undefined ? undefined : parseBasic(start)?.ms;
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : parseBasic(until)?.ms;
  if (startMs === undefined || untilMs === undefined || !(Number(month) >= 1 && Number(month) <= 12)) return null;
  return {
    startMs,
    month: Number(month),
    weekday: weekday === undefined ? null : Number(weekday),
    nth: Number(nth ?? 1),
    monthDays: days?.split('_').map(Number) ?? null,
    untilMs,
  };
}

/** Changes after it are not computed. */
const lastYear = 2400;

class OwnZone implements Zone {
  readonly id: string;
  readonly #clock: Clock;
  /** From each on the wall clock shows the offset of that change. *Units*: local ms, ascending. */
  readonly #walls: number[] = [];

  constructor(id: string, { baseMs, fromYear, observances }: Definition) {
    this.id = id;
    const yearMs = (year: number) => dayNumber(year, 1, 1) * dayMs;
    this.#clock =
      observances.length === 0
        ? { baseMs, changes: [] }
        : clockOf(observances, yearMs(fromYear), yearMs(lastYear), baseMs);
    let [beforeMs, wallMs] = [this.#clock.baseMs, Number.NEGATIVE_INFINITY];
    for (const { atMs, offsetMs } of this.#clock.changes) {
      // in a gap and in a doubled hour alike, the offset before the change holds
      wallMs = Math.max(wallMs, atMs + Math.max(beforeMs, offsetMs));
      this.#walls.push(wallMs);
      beforeMs = offsetMs;
    }
  }

  toInstant(localMs: number): number {
    return localMs - this.#offsetAfter(countUpTo(this.#walls.length, (at) => (this.#walls[at] as number) <= localMs));
  }

  toLocal(instantMs: number): number {
    return instantMs + this.offsetAt(instantMs);
  }

  offsetAt(instantMs: number): number {
    const { changes } = this.#clock;
    return this.#offsetAfter(countUpTo(changes.length, (at) => (changes[at]?.atMs as number) <= instantMs));
  }

  #offsetAfter(changes: number): number {
    return this.#clock.changes[changes - 1]?.offsetMs ?? this.#clock.baseMs;
  }
}

/** How many of the first items hold; the others do not. */
function countUpTo(length: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function loadOwnZone(id: string): Zone | null {
  return unnamedZone(id, () => {
    const definition = definitionOf(id);
    return definition === null ? null : new OwnZone(id, definition);
  });
}

/**
 * The zone in which an event keeps its time: one of the tz database, or one of its own. What people and providers name is read
 * with `loadZone`.
 */
export const loadEventZone = (id: string): Zone | null => loadZone(id) ?? loadOwnZone(id);

/** False for a zone that other programs know no name of. */
export const isNamedZone = (id: string): boolean => loadZone(id) !== null;
