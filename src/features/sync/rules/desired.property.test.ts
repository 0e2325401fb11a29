import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Core, Duration, EventBody, Series, When } from '#kernel/event.ts';
import { contentHash } from '#kernel/event-hash.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import type { SeriesShape } from '#providers/port.ts';
import { runs } from '../../../../test/harness/law-budget.ts';
import { ordinaryCore, ordinaryOrigin, ordinaryPair, seriesShapes } from '../../../../test/harness/mirror-subjects.ts';
import { desiredBlocks, type Origin, type Pair } from './desired.ts';
import type { Window } from './window.ts';

// A law takes about a second alone, and shares its machine.
vi.setConfig({ testTimeout: 60_000 });

const limits = { instances: 5_000, steps: 50_000 };
const ownerZone = 'Europe/Berlin';
const calendarZone = 'America/New_York';
/** Not the source's: a time that is still floating in a block would be read here. */
const targetZone = 'Asia/Kolkata';
/** Before the spring changes of 2027 in America (03-14) and Europe (03-28), and before the autumn ones (11-07, 10-31). */
const nows = ['2027-03-05T09:00:00Z', '2027-10-20T21:30:00Z'].map((at) => Temporal.Instant.from(at).epochMilliseconds);

const busyness = fc.constantFrom<Partial<Core>>(
  {},
  {},
  { busy: 'tentative' },
  { busy: 'free' },
  { busy: 'unknown' },
  { busy: 'elsewhere' },
  { self: 'declined' },
  { self: 'needs-action' },
  { kind: 'birthday' },
);
const zone = fc.constantFrom('America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC');
const duration = fc.constantFrom<Duration>(
  { seconds: 1_800 },
  { seconds: 5_400 },
  { seconds: 93_600 },
  { seconds: 0 },
  { days: 1 },
  { days: 1, seconds: 21_600 },
);

interface Shape {
  nowMs: number;
  whenOf: (dayOffset: number) => When;
}

const shape: fc.Arbitrary<Shape> = fc
  .record({
    nowMs: fc.constantFrom(...nows),
    kind: fc.constantFrom<When['kind']>('zoned', 'zoned', 'floating', 'all-day'),
    minute: fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
    zone,
    duration,
    days: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ nowMs, kind, minute, zone: inZone, duration: lasting, days }) => ({
    nowMs,
    whenOf(dayOffset) {
      const day = Temporal.Instant.fromEpochMilliseconds(nowMs)
        .toZonedDateTimeISO('UTC')
        .toPlainDate()
        .add({ days: dayOffset });
      if (kind === 'all-day') return { kind, start: day.toString(), end: day.add({ days }).toString() };
      const start = day
        .toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 })
        .toString({ smallestUnit: 'second' });
      return kind === 'zoned' ? { kind, start, zone: inZone, duration: lasting } : { kind, start, duration: lasting };
    },
  }));

const single: fc.Arbitrary<{ body: EventBody; nowMs: number }> = fc
  .tuple(shape, fc.integer({ min: -5, max: 45 }), busyness)
  .map(([{ nowMs, whenOf }, day, busy]) => ({
    nowMs,
    body: { kind: 'single', when: whenOf(day), core: ordinaryCore(busy) },
  }));

const series: fc.Arbitrary<{ body: Series; nowMs: number }> = fc
  .record({
    shape,
    day: fc.integer({ min: -20, max: 20 }),
    rule: fc.constantFrom('FREQ=DAILY', 'FREQ=WEEKLY', 'FREQ=DAILY;INTERVAL=3', 'FREQ=WEEKLY;BYDAY=MO,TH,SU'),
    end: fc.constantFrom('', ';COUNT=5', ';COUNT=23'),
    busy: busyness,
    excluded: fc.array(fc.nat(40), { maxLength: 4 }),
    changed: fc.array(
      fc.record({ at: fc.nat(40), move: fc.integer({ min: -3, max: 3 }), busy: busyness, titled: fc.boolean() }),
      { maxLength: 4 },
    ),
    extra: fc.option(
      fc.record({ day: fc.integer({ min: 0, max: 30 }), duration: fc.option(duration, { nil: undefined }) }),
    ),
  })
  .map(({ shape: { nowMs, whenOf }, day, rule, end, busy, excluded, changed, extra }) => {
    const when = whenOf(day);
    const body: Series = {
      kind: 'series',
      when,
      core: ordinaryCore(busy),
      rules: [rule + end],
      exRules: [],
      extraDates: [],
      exdates: [],
      overrides: {},
    };
    const around = { fromMs: nowMs - 40 * 86_400_000, toMs: nowMs + 60 * 86_400_000 };
    const names = occurrencesOf(body, calendarZone, ownerZone, around, limits).list.map((one) => one.recId);
    for (const { at, move, busy: other, titled } of changed) {
      const name = names[at];
      if (name === undefined) continue;
      const moved = whenOf(day + at + move);
      body.overrides[name] = { when: moved, core: ordinaryCore({ ...other, ...(titled ? { title: 'Moved' } : {}) }) };
    }
    body.exdates = [...new Set(excluded.flatMap((at) => names[at] ?? []))].filter((name) => !(name in body.overrides));
    if (extra !== null) {
      const at = whenOf(day + extra.day).start;
      body.extraDates = [
        extra.duration === undefined || when.kind === 'all-day'
          ? { start: at }
          : { start: at, duration: extra.duration },
      ];
    }
    return { body, nowMs };
  });

/** The default rule, said again without the product's own words for it. */
function takesTime(core: Core, allDay: boolean, lengthMs: number): boolean {
  if (lengthMs <= 0 || core.self === 'declined' || core.kind === 'birthday' || core.kind === 'working-location')
    return false;
  if (core.busy === 'free' || core.busy === 'elsewhere') return false;
  return !(allDay && core.self === 'needs-action');
}

const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
const text = (startMs: number, endMs: number) => `${instant(startMs)}/${instant(endMs)}`;

function originInstants(origin: Origin, window: Window): string[] {
  return occurrencesOf(origin.body, origin.calendarZone, origin.ownerZone, window, limits)
    .list.filter((one) => takesTime(one.core, one.allDay, one.endMs - one.startMs))
    .map((one) => text(one.startMs, one.endMs))
    .toSorted();
}

function blockInstants(origin: Origin, pair: Pair, nowMs: number): string[] {
  return desiredBlocks(origin, pair, nowMs)
    .blocks.flatMap(({ body }) => occurrencesOf(body, targetZone, ownerZone, pair.window, limits).list)
    .map((one) => text(one.startMs, one.endMs))
    .toSorted();
}

const pairAt = (nowMs: number, series: SeriesShape) =>
  ordinaryPair({ nowMs, zone: ownerZone, series, rule: { futureDays: 40 } });

test('the mirrors of a single event take exactly its busy instants', () => {
  fc.assert(
    fc.property(single, ({ body, nowMs }) => {
      const origin = ordinaryOrigin({ body });
      const pair = pairAt(nowMs, 'native');
      expect(blockInstants(origin, pair, nowMs)).toEqual(originInstants(origin, pair.window));
    }),
    { numRuns: runs(500) },
  );
});

test('the mirrors of a series take the instants of its original event, in every shape', () => {
  fc.assert(
    fc.property(series, ({ body, nowMs }) => {
      const origin = ordinaryOrigin({ body });
      for (const shape of seriesShapes) {
        const pair = pairAt(nowMs, shape);
        expect(blockInstants(origin, pair, nowMs), shape).toEqual(originInstants(origin, pair.window));
      }
    }),
    { numRuns: runs(300) },
  );
});

test('the generated series include whole and expanded mirrors', () => {
  let native = 0;
  let expanded = 0;
  fc.assert(
    fc.property(series, ({ body, nowMs }) => {
      const { blocks } = desiredBlocks(ordinaryOrigin({ body }), pairAt(nowMs, 'native'), nowMs);
      if (blocks.some((block) => block.body.kind === 'series')) native += 1;
      else if (blocks.length > 1) expanded += 1;
    }),
    { numRuns: 300, seed: 7 },
  );
  expect(native).toBeGreaterThan(30);
  expect(expanded).toBeGreaterThan(20);
});

test('a series mirrored with detached instances has no overrides, and excludes each detached instance', () => {
  let beside = 0;
  let kept = 0;
  fc.assert(
    fc.property(series, ({ body, nowMs }) => {
      const { blocks } = desiredBlocks(ordinaryOrigin({ body }), pairAt(nowMs, 'punch-out'), nowMs);
      const whole = blocks.find((block) => block.recId === '')?.body;
      for (const block of blocks) {
        if (block.body.kind === 'series') expect(block.body.overrides).toEqual({});
        if (block.recId === '' || whole?.kind !== 'series') continue;
        expect(Object.keys(body.overrides)).toContain(block.recId);
        // floating instances are named in UTC here, so that each has one name
        expect(whole.exdates.length).toBeGreaterThan(0);
        if (body.when.kind !== 'floating') expect(whole.exdates).toContain(block.recId);
        beside += 1;
      }
      if (whole?.kind === 'series' && whole.exdates.length < Object.keys(body.overrides).length) kept += 1;
    }),
    { numRuns: 2_000, seed: 11 },
  );
  expect(beside).toBeGreaterThan(60);
  expect(kept).toBeGreaterThan(0);
});

test('the mirrors of an event have unique recurrence ids and hashes of their content', () => {
  fc.assert(
    fc.property(fc.oneof(single, series), fc.constantFrom(...seriesShapes), ({ body, nowMs }, shape) => {
      const { blocks, skipped } = desiredBlocks(ordinaryOrigin({ body }), pairAt(nowMs, shape), nowMs);
      expect(new Set(blocks.map((block) => block.recId)).size).toBe(blocks.length);
      for (const block of blocks) expect(block.hash).toBe(contentHash(block.body));
      expect(skipped === null).toBe(blocks.length > 0);
    }),
    { numRuns: runs(300) },
  );
});

test('an event has the same mirrors at any hour of its owner’s day', () => {
  fc.assert(
    fc.property(fc.oneof(single, series), fc.constantFrom(...seriesShapes), ({ body, nowMs }, shape) => {
      const hashes = (ms: number) =>
        desiredBlocks(ordinaryOrigin({ body }), pairAt(ms, shape), ms).blocks.map((block) => block.hash);
      const midnight = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(ownerZone).startOfDay();
      expect(hashes(midnight.add({ hours: 23 }).epochMilliseconds)).toEqual(hashes(midnight.epochMilliseconds));
    }),
    { numRuns: runs(200) },
  );
});
