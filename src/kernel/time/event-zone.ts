import { formatRule } from '#kernel/recurrence/format-rule.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import { weekdays } from '#kernel/recurrence/rule.ts';
import { dayMs, dayNumber, secondMs } from '#kernel/time/civil.ts';
import { parseBasic, printBasicDateTime } from '#kernel/time/local.ts';
import { type Clock, clockOf, lastOnsetOf, type Observance, type OnsetRule } from '#kernel/time/observances.ts';
import { loadZone, unnamedZone, type Zone } from '#kernel/time/zones.ts';

/**
 * Zones of events that no IANA zone equals. Their id holds the definition, so that an event carries it wherever it goes:
 * `Own.-12600` is a fixed offset in seconds, `Own.2026.7200/7200.10800.R16010101T020000FREQ=YEARLY~BYMONTH=3~BYDAY=2SU/…` a base
 * offset at the start of a year and the changes from then on. It is a TZID that needs no quotes. Only this file reads and writes it.
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
  const baseMs = clockOf(observances, fromMs, fromMs)?.baseMs;
  if (baseMs === undefined) return null;
  const later = observances
    .map(({ fromMs: beforeMs, toMs, dates, rule }) => ({
      fromMs: beforeMs,
      toMs,
      dates: [...new Set(dates)].filter((local) => local - beforeMs > fromMs),
      rule: rule !== null && lastOnsetOf(rule, beforeMs) > fromMs ? rule : null,
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

const printRule = ({ startMs, rule }: OnsetRule) =>
  `R${printBasicDateTime(startMs)}${formatRule(rule).replaceAll(';', '~').replaceAll(',', '_')}`;

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
  const ruleText = /^[RY]/.test(onsets.at(-1) ?? '') ? onsets.pop() : undefined;
  const rule = ruleText === undefined ? null : readRule(ruleText);
  const dates = onsets.map((text) => parseBasic(text)?.ms).filter((ms) => ms !== undefined);
  if (dates.length < onsets.length || (ruleText !== undefined && rule === null)) return null;
  return { fromMs: Number(from) * secondMs, toMs: Number(to) * secondMs, dates, rule };
}

function readRule(text: string): OnsetRule | null {
  const [, start = '', recur = ''] = /^R(\d{8}T\d{6})(.*)$/.exec(text) ?? earlierForm(text);
  const startMs = parseBasic(start)?.ms;
  const parsed = parseRule(recur.replaceAll('~', ';').replaceAll('_', ','));
  return startMs === undefined || !parsed.ok ? null : { startMs, rule: parsed.rule };
}

const earlierPattern =
  /^Y(\d{8}T\d{6})m(\d{1,2})(?:w([0-6])n(-?[1-5]))?(?:d(-?\d{1,2}(?:_-?\d{1,2}){0,30}))?(?:u(\d{8}T\d{6}))?$/;

/** Ids that were stored before rules of any form had one: `Y16010101T020000m3w6n2`. */
function earlierForm(text: string): string[] {
  const [, start = '', month = '', weekday, nth = '1', days, until] = earlierPattern.exec(text) ?? [];
  const name = weekday === undefined ? '' : weekdays[Number(weekday)];
  const ofWeek =
    weekday === undefined ? '' : days === undefined ? `~BYDAY=${nth}${name}` : `~BYDAY=${name}~BYSETPOS=${nth}`;
  const ofMonth = days === undefined ? '' : `~BYMONTHDAY=${weekday === undefined ? days.split('_')[0] : days}`;
  const end = until === undefined ? '' : `~UNTIL=${until}Z`;
  return ['', start, `FREQ=YEARLY~BYMONTH=${month}${ofMonth}${ofWeek}${end}`];
}

/** Changes after it are not computed. */
const lastYear = 2400;

class OwnZone implements Zone {
  readonly id: string;
  readonly #clock: Clock;
  /** From each on the wall clock shows the offset of that change. *Units*: local ms, ascending. */
  readonly #walls: number[] = [];

  constructor(id: string, clock: Clock) {
    this.id = id;
    this.#clock = clock;
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
    if (definition === null) return null;
    const { baseMs, fromYear, observances } = definition;
    const yearMs = (year: number) => dayNumber(year, 1, 1) * dayMs;
    const clock =
      observances.length === 0
        ? { baseMs, changes: [] }
        : clockOf(observances, yearMs(fromYear), yearMs(lastYear), baseMs);
    return clock === null ? null : new OwnZone(id, clock);
  });
}

/**
 * The zone of an event: one of the tz database, or a custom one. Names from people and providers are read with
 * `loadZone`.
 */
export const loadEventZone = (id: string): Zone | null => loadZone(id) ?? loadOwnZone(id);

/** False for a zone that other programs know no name of. */
export const isNamedZone = (id: string): boolean => loadZone(id) !== null;
