import fc from 'fast-check';
import { isExact } from '#kernel/time/duration.ts';
import type { Core, RecId, Series } from '../../src/kernel/event.ts';
import { occurrencesOf } from '../../src/kernel/recurrence/occurrences.ts';
import { openSeries } from '../../src/kernel/recurrence/open-series.ts';
import { printBasicDateTime, printLocalDateTime } from '../../src/kernel/time/local.ts';
import { makeRecId, parseRecId } from '../../src/kernel/time/rec-id.ts';
import { loadZone, utc } from '../../src/kernel/time/zones.ts';
import type { MirrorBody } from '../../src/providers/port.ts';

/** Edits of a series, as bodies before and after, for properties of adapters. */

/** `at`: which instance, by its place among those that are left. */
export type SeriesEdit =
  | { do: 'rename-all'; title: string }
  | { do: 'move-all'; minutes: number; days: number }
  | { do: 'lengthen-all'; minutes: number }
  | { do: 'move-this'; at: number; minutes: number; title: string }
  | { do: 'cancel-this'; at: number }
  | { do: 'bring-back'; at: number }
  | { do: 'end-before'; at: number };

export const plainCore: Core = { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Weekly' };

/** Weekly or daily series that cross a change of the clocks, in one hemisphere or the other. */
export const seriesArbitrary: fc.Arbitrary<Series> = fc
  .record({
    zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Sydney', 'UTC'),
    day: fc.constantFrom(
      '2027-02-22',
      '2027-03-08',
      '2027-03-22',
      '2027-03-28',
      '2027-10-04',
      '2027-10-18',
      '2027-10-30',
    ),
    minute: fc.constantFrom(0, 90, 150, 540, 1_380),
    minutes: fc.constantFrom(30, 60, 90),
    rule: fc.constantFrom('FREQ=WEEKLY;COUNT=6', 'FREQ=WEEKLY;INTERVAL=2;COUNT=5', 'FREQ=DAILY;COUNT=9'),
  })
  .map(({ zone, day, minute, minutes, rule }) => ({
    kind: 'series',
    when: {
      kind: 'zoned',
      start: Temporal.PlainDate.from(day)
        .toPlainDateTime()
        .add({ minutes: minute })
        .toString({ smallestUnit: 'second' }),
      zone,
      duration: { seconds: minutes * 60 },
    },
    core: plainCore,
    rules: [rule],
    exRules: [],
    extraDates: [],
    exdates: [],
    overrides: {},
  }));

const place = fc.integer({ min: 0, max: 8 });
export const editArbitrary: fc.Arbitrary<SeriesEdit> = fc.oneof(
  fc.record({ do: fc.constant('rename-all'), title: fc.constantFrom('Renamed', 'Once more') }),
  fc.record({ do: fc.constant('move-all'), minutes: fc.constantFrom(-60, 45, 120), days: fc.constantFrom(0, 1) }),
  fc.record({ do: fc.constant('lengthen-all'), minutes: fc.constantFrom(15, 45) }),
  fc.record({
    do: fc.constant('move-this'),
    at: place,
    minutes: fc.constantFrom(30, 180, -45),
    title: fc.constantFrom('Weekly', 'Moved'),
  }),
  fc.record({ do: fc.constant('cancel-this'), at: place }),
  fc.record({ do: fc.constant('bring-back'), at: place }),
  fc.record({ do: fc.constant('end-before'), at: place }),
);

/** The series after the edit; the same one where the edit has nothing to do. */
export function edited(series: Series, edit: SeriesEdit): Series {
  switch (edit.do) {
    case 'rename-all':
      return withCores(series, (core) => ({ ...core, title: edit.title }));
    case 'move-all':
      return shifted(series, edit);
    case 'lengthen-all': {
      const { when } = series;
      if (when.kind !== 'zoned' || !isExact(when.duration)) return series;
      return { ...series, when: { ...when, duration: { seconds: when.duration.seconds + edit.minutes * 60 } } };
    }
    default:
      return atInstance(series, edit);
  }
}

function withCores(series: Series, change: (core: Core) => Core): Series {
  const overrides = Object.entries(series.overrides).map(([recId, one]) => [recId, { ...one, core: change(one.core) }]);
  return { ...series, core: change(series.core), overrides: Object.fromEntries(overrides) as Series['overrides'] };
}

const zoneOf = ({ when }: Series) => (when.kind === 'zoned' ? (loadZone(when.zone) ?? utc) : utc);

/** A later start for all: each instance keeps its place in the series. Overrides stay where their person put them. */
function shifted(series: Series, { minutes, days }: { minutes: number; days: number }): Series {
  const { when } = series;
  if (when.kind !== 'zoned') return series;
  const zone = zoneOf(series);
  const byMs = (days * 1_440 + minutes) * 60_000;
  const start = Temporal.PlainDateTime.from(when.start).add({ minutes: days * 1_440 + minutes });
  const until = (text: string) => makeRecId('zoned', zone.toInstant(zone.toLocal(parseRecId(text)?.ms ?? 0) + byMs));
  const moved: Series = {
    ...series,
    when: { ...when, start: start.toString({ smallestUnit: 'second' }) },
    rules: series.rules.map((rule) =>
      rule.replace(/UNTIL=(\d{8}T\d{6}Z)/, (_, text: string) => `UNTIL=${until(text)}`),
    ),
  };
  // By place and not by wall clock: one in the gap of a change of the clocks has another than the rest.
  const [old, next] = [startsOf(series), startsOf(moved)];
  const renamed = (recId: RecId): RecId[] => {
    const ms = next[old.indexOf(parseRecId(recId)?.ms ?? 0)];
    return ms === undefined ? [] : [makeRecId('zoned', ms)];
  };
  const overrides = Object.entries(series.overrides).flatMap(([recId, one]) =>
    renamed(recId).map((name) => [name, one]),
  );
  return {
    ...moved,
    exdates: series.exdates.flatMap(renamed),
    overrides: Object.fromEntries(overrides) as Series['overrides'],
  };
}

function startsOf(series: Series): number[] {
  const zone = series.when.kind === 'zoned' ? series.when.zone : null;
  return openSeries({ ...series, start: series.when.start, zone, exdates: [] }).between(0, 8.64e15).startsMs;
}

function atInstance(series: Series, edit: Extract<SeriesEdit, { at: number }>): Series {
  const { when } = series;
  if (when.kind !== 'zoned') return series;
  const zone = zoneOf(series);
  const starts = openSeries({ ...series, start: when.start, zone: when.zone, exdates: [] }).between(
    0,
    8.64e15,
  ).startsMs;
  const ms = starts[edit.at % starts.length] ?? 0;
  const recId = makeRecId('zoned', ms);
  const { [recId]: _, ...others } = series.overrides;
  const excluded = series.exdates.includes(recId);
  switch (edit.do) {
    case 'move-this': {
      if (excluded) return series;
      const start = printLocalDateTime(zone.toLocal(ms + edit.minutes * 60_000));
      const core = { ...series.core, title: edit.title };
      return { ...series, overrides: { ...series.overrides, [recId]: { when: { ...when, start }, core } } };
    }
    case 'cancel-this':
      if (excluded || series.exdates.length + 2 > starts.length) return series;
      return { ...series, exdates: [...series.exdates, recId].sort(), overrides: others };
    case 'bring-back':
      return { ...series, exdates: series.exdates.filter((one) => one !== recId), overrides: others };
    case 'end-before': {
      if (ms === starts[0]) return series;
      const rules = series.rules.map(
        (rule) => `${rule.replace(/;(?:COUNT|UNTIL)=[^;]*/, '')};UNTIL=${printBasicDateTime(ms - 1_000)}Z`,
      );
      const before = (one: RecId) => (parseRecId(one)?.ms ?? 0) < ms;
      const overrides = Object.entries(series.overrides).filter(([one]) => before(one));
      const left = {
        ...series,
        rules,
        exdates: series.exdates.filter(before),
        overrides: Object.fromEntries(overrides),
      };
      // an edit that leaves no instance is a deletion
      return instantsOf(left).length === 0 ? series : left;
    }
  }
}

/** Every instance on the clock of the world, with what it says. */
export function instantsOf(body: MirrorBody): string[] {
  const window = { fromMs: Date.UTC(2027, 0, 1), toMs: Date.UTC(2029, 0, 1) };
  const limits = { instances: 1_000, steps: 50_000 };
  return occurrencesOf(body, 'UTC', 'UTC', window, limits).list.map(
    ({ startMs, endMs, core }) => `${printLocalDateTime(startMs)} ${(endMs - startMs) / 60_000} ${core.title}`,
  );
}
