import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minuteMs } from '#kernel/time/civil.ts';
import { normalizeSpans, overlaps, type Span } from '#kernel/time/intervals.ts';
import { runs } from '../../../test/harness/law-budget.ts';
import { decideSlot } from './decide-slot.ts';
import { listFreeHosts, listSlots } from './list-slots.ts';
import type { SlotHost, SlotLimit, SlotQuestion } from './slot-question.ts';

/** Minutes around the change of a clock, or around nothing at all. */
interface World {
  zone: string;
  middleMs: number;
}

const zones = [
  'Europe/Paris',
  'America/New_York',
  'Australia/Lord_Howe', // half an hour
  'America/Santiago', // at midnight
  'Africa/Cairo', // midnight is an hour that does not exist, and one that comes twice
  'Asia/Beirut',
  'America/Havana',
  'Asia/Kathmandu',
  'UTC',
];
const days = 2;
const rangeMinutes = days * 1_440;

const world: fc.Arbitrary<World> = fc
  .record({ zone: fc.constantFrom(...zones), day: fc.integer({ min: 0, max: 1_400 }), nearChange: fc.boolean() })
  .map(({ zone, day, nearChange }) => {
    const at = Temporal.PlainDate.from('2026-01-01').add({ days: day }).toZonedDateTime(zone);
    const change = nearChange ? at.getTimeZoneTransition('next') : null;
    return { zone, middleMs: (change ?? at).epochMilliseconds };
  });

const minutes = (min: number, max: number, step = 5) =>
  fc.integer({ min: Math.ceil(min / step), max: Math.floor(max / step) }).map((n) => n * step * minuteMs);

/** Somewhere from two days before the middle to two days after. */
const near = (lengthMax: number, lengthMin = 0): fc.Arbitrary<Span> =>
  fc
    .record({ at: minutes(-2_880, 1_440), lengthMs: minutes(lengthMin, lengthMax) })
    .map(({ at, lengthMs }) => ({ startMs: at, endMs: at + lengthMs }));

const sorted = <T extends Span>(spans: T[]) => spans.toSorted((a, b) => a.startMs - b.startMs);
const spanList = (most: number, lengthMax: number) => fc.array(near(lengthMax), { maxLength: most }).map(sorted);

const rarely = <T, U>(one: fc.Arbitrary<T>, otherwise: U) =>
  fc.oneof({ weight: 1, arbitrary: one }, { weight: 4, arbitrary: fc.constant(otherwise) });

const limit: fc.Arbitrary<SlotLimit> = fc.record(
  { count: fc.integer({ min: 0, max: 4 }), minutes: fc.integer({ min: 0, max: 600 }) },
  { requiredKeys: [] },
);

const host = fc.record(
  {
    open: fc.array(near(2_000, 120), { minLength: 2, maxLength: 5 }).map(normalizeSpans),
    busy: spanList(6, 180),
    blocks: fc
      .array(fc.record({ span: near(120), kind: fc.constantFrom<'booking' | 'hold'>('booking', 'hold') }), {
        maxLength: 2,
      })
      .map((list) => sorted(list.map(({ span, kind }) => ({ ...span, kind })))),
    sessions: fc.array(fc.record({ span: near(90), seatsLeft: fc.integer({ min: 0, max: 2 }) }), { maxLength: 2 }),
    counted: spanList(4, 120),
    optional: fc.boolean(),
    stale: rarely(fc.constant(true), false),
  },
  { requiredKeys: ['open', 'busy', 'blocks'] },
);

/** Everything at once; times are minutes around the middle until a world moves them. */
const question: fc.Arbitrary<SlotQuestion> = fc
  .record({
    world,
    hosts: fc.array(host, { minLength: 1, maxLength: 3 }),
    shape: fc.constantFrom<SlotQuestion['shape']>('one', 'group', 'round-robin', 'collective'),
    quorum: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 2 }),
    durationMs: minutes(5, 60),
    stepMs: minutes(5, 90),
    bufferBeforeMs: minutes(0, 30),
    bufferAfterMs: minutes(0, 30),
    noticeMs: rarely(minutes(0, 2_880), 0),
    now: minutes(-2_880, -1_000),
    window: near(5_000),
    isOpenEnded: rarely(fc.constant(false), true),
    limits: rarely(fc.record({ day: limit, week: limit, month: limit }, { requiredKeys: [] }), {}),
    only: rarely(fc.array(minutes(-1_440, 1_440), { maxLength: 4 }), undefined),
  })
  .map(({ world: { zone, middleMs }, now, isOpenEnded, only, ...rest }) => {
    const move = <T extends Span>(span: T): T => ({
      ...span,
      startMs: span.startMs + middleMs,
      endMs: span.endMs + middleMs,
    });
    const single = rest.shape === 'one' || rest.shape === 'group';
    const hosts = rest.hosts.slice(0, single ? 1 : 3).map(
      (one, n): SlotHost => ({
        ...one,
        id: `host-${n}`,
        optional: one.optional === true && rest.shape === 'collective',
        stale: one.stale === true && n > 0,
        open: one.open.map(move),
        busy: one.busy.map(move),
        blocks: one.blocks.map(move),
        sessions:
          rest.shape === 'group'
            ? sorted((one.sessions ?? []).map(({ span, seatsLeft }) => around(move(span), seatsLeft)))
            : [],
        counted: (one.counted ?? []).map(move),
      }),
    );
    return {
      ...rest,
      zone,
      hosts,
      nowMs: now + middleMs,
      window: isOpenEnded ? { startMs: 0, endMs: Number.MAX_SAFE_INTEGER } : move(rest.window),
      only: only?.map((at) => at + middleMs).toSorted((a, b) => a - b),
      range: { startMs: middleMs - (rangeMinutes / 2) * minuteMs, endMs: middleMs + (rangeMinutes / 2) * minuteMs },
    };
  });

function around(span: Span, seatsLeft: number) {
  return { ...span, seatsLeft, block: { startMs: span.startMs - 10 * minuteMs, endMs: span.endMs + 10 * minuteMs } };
}

describe('slots', () => {
  it('slots equal those of a reference that tries every minute', () => {
    let offered = 0;
    fc.assert(
      fc.property(question, (asked) => {
        const slots = listSlots(asked);
        offered += slots.length;
        expect(slots).toEqual(bruteForce(asked));
      }),
      { numRuns: runs(400) },
    );
    expect(offered).toBeGreaterThan(runs(4_000));
  });

  it('every slot can be booked, and every other start is refused with a reason', () => {
    let refused = 0;
    fc.assert(
      fc.property(question, (asked) => {
        const offered = new Set(listSlots(asked));
        for (let atMs = asked.range.startMs; atMs < asked.range.endMs; atMs += 5 * minuteMs) {
          const decision = decideSlot(asked, atMs);
          expect(decision.ok).toBe(offered.has(atMs));
          if (decision.ok) expect(decision.hosts.length).toBeGreaterThan(0);
          else expect(decision.reasons.length).toBeGreaterThan(0);
          refused += decision.ok ? 0 : 1;
        }
      }),
      { numRuns: runs(60) },
    );
    expect(refused).toBeGreaterThan(runs(100));
  });

  it('more busy time never adds a slot', () => {
    fc.assert(
      fc.property(question, near(400), fc.nat(2), (asked, more, n) => {
        const middleMs = (asked.range.startMs + asked.range.endMs) / 2;
        const span = { startMs: more.startMs + middleMs, endMs: more.endMs + middleMs };
        const hosts = asked.hosts.map((one, i) =>
          i === n % asked.hosts.length ? { ...one, busy: sorted([...one.busy, span]) } : one,
        );
        const before = new Set(listSlots(asked));
        for (const startMs of listSlots({ ...asked, hosts })) expect(before.has(startMs)).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it('slots of two partial ranges equal those of the whole range', () => {
    fc.assert(
      fc.property(question, minutes(-1_400, 1_400, 1), (asked, at) => {
        const middleMs = at + (asked.range.startMs + asked.range.endMs) / 2;
        const cut = (range: Span) => {
          // a day and an hour more than the range: a day on which the clock is set back has 25
          const hours = { startMs: range.startMs - 90_000_000, endMs: Number.MAX_SAFE_INTEGER };
          const hosts = asked.hosts.map((one) => ({ ...one, open: one.open.flatMap((span) => clip(span, hours)) }));
          return listSlots({ ...asked, hosts, range });
        };
        const parts = [
          ...cut({ startMs: asked.range.startMs, endMs: middleMs }),
          ...cut({ startMs: middleMs, endMs: asked.range.endMs }),
        ];
        expect(parts).toEqual(listSlots(asked));
      }),
      { numRuns: runs(300) },
    );
  });
});

function clip({ startMs, endMs }: Span, to: Span): Span[] {
  const clipped = { startMs: Math.max(startMs, to.startMs), endMs: Math.min(endMs, to.endMs) };
  return clipped.startMs < clipped.endMs ? [clipped] : [];
}

/** Tries every minute by the words of the rule, without anything of the engine. */
function bruteForce(asked: SlotQuestion): number[] {
  const slots: number[] = [];
  const wallAt = wallClock(asked.zone);
  const hosts = asked.hosts.filter(({ optional }) => !optional);
  const needed = asked.shape === 'collective' ? (asked.quorum ?? hosts.length) : 1;
  if (hosts.length === 0) return [];
  const isOpen = (atMs: number) => hosts.filter(({ open }) => open.some((span) => holds(span, atMs))).length >= needed;
  const sessionStarts = new Set(asked.hosts.flatMap(({ sessions = [] }) => sessions.map(({ startMs }) => startMs)));
  let countedFrom: number | null = null;
  let day = '';
  // From two days before the range, so that hours which are open by then are seen to begin.
  for (let atMs = asked.range.startMs - 2_880 * minuteMs; atMs < asked.range.endMs; atMs += minuteMs) {
    const wall = wallAt(atMs);
    if (!isOpen(atMs)) countedFrom = null;
    // Open since the day before: the day's own midnight counts, even one that its clock skips.
    else if (wall.day !== day && countedFrom !== null) countedFrom = 0;
    else countedFrom ??= wall.minute;
    day = wall.day;
    if (!holds(asked.range, atMs) || atMs < asked.nowMs + asked.noticeMs || !holds(asked.window, atMs)) continue;
    const isStep = countedFrom !== null && ((wall.minute - countedFrom) * minuteMs) % asked.stepMs === 0;
    if (!(asked.only?.includes(atMs) ?? (isStep || sessionStarts.has(atMs)))) continue;
    if (hosts.filter((one) => isFree(asked, one, atMs, wallAt)).length >= needed) slots.push(atMs);
  }
  return slots;
}

function isFree(asked: SlotQuestion, one: SlotHost, atMs: number, wallAt: ReturnType<typeof wallClock>): boolean {
  const meeting = { startMs: atMs, endMs: atMs + asked.durationMs };
  const wide = { startMs: meeting.startMs - asked.bufferBeforeMs, endMs: meeting.endMs + asked.bufferAfterMs };
  if (one.stale || !one.open.some((span) => span.startMs <= meeting.startMs && meeting.endMs <= span.endMs))
    return false;
  if ([...one.busy, ...one.blocks].some((span) => overlaps(span, wide))) return false;
  const sessions = one.sessions ?? [];
  const clear = (except: number) => sessions.every(({ block }, n) => n === except || !overlaps(block, wide));
  const joined = sessions.some(
    (session, n) => session.startMs === atMs && session.endMs === meeting.endMs && session.seatsLeft > 0 && clear(n),
  );
  if (joined) return true;
  if (!clear(-1)) return false;
  for (const period of ['day', 'week', 'month'] as const) {
    const { count, minutes: most } = asked.limits[period] ?? {};
    const used = (one.counted ?? []).filter(({ startMs }) => wallAt(startMs)[period] === wallAt(atMs)[period]);
    const usedMs = used.reduce((sum, span) => sum + span.endMs - span.startMs, asked.durationMs);
    if (count !== undefined && used.length >= count) return false;
    if (most !== undefined && usedMs > most * minuteMs) return false;
  }
  return true;
}

function holds({ startMs, endMs }: Span, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs;
}

/** Asks Temporal once for each quarter of an hour: no clock of these years changes within one. */
function wallClock(zone: string) {
  const quarters = new Map<number, { day: string; week: string; month: string; minute: number }>();
  return (atMs: number) => {
    const quarter = Math.floor(atMs / 900_000);
    let known = quarters.get(quarter);
    if (known === undefined) {
      const at = Temporal.Instant.fromEpochMilliseconds(quarter * 900_000).toZonedDateTimeISO(zone);
      known = {
        day: at.toPlainDate().toString(),
        week: `${at.yearOfWeek}-${at.weekOfYear}`,
        month: at.toPlainDate().toString().slice(0, 7),
        minute: at.hour * 60 + at.minute,
      };
      quarters.set(quarter, known);
    }
    return { ...known, minute: known.minute + (atMs - quarter * 900_000) / minuteMs };
  };
}

it('free hosts are those who would offer the start alone', () => {
  fc.assert(
    fc.property(question, (asked) => {
      for (const startMs of listSlots(asked).slice(0, 5)) {
        const alone = asked.hosts.filter(
          (one) =>
            listSlots({ ...asked, shape: 'one', only: [startMs], hosts: [{ ...one, optional: false }] }).length > 0,
        );
        expect(listFreeHosts(asked, startMs).map(({ id }) => id)).toEqual(alone.map(({ id }) => id));
      }
    }),
    { numRuns: runs(100) },
  );
});

it('hours that change count from their own beginnings, as if they had never been others', () => {
  fc.assert(
    fc.property(question, host, fc.integer({ min: -1_440, max: 1_440 }), fc.nat(59_999), (asked, other, at, ms) => {
      const [first] = asked.hosts;
      fc.pre(first !== undefined && asked.only === undefined);
      const middleMs = (asked.range.startMs + asked.range.endMs) / 2;
      const changeMs = middleMs + at * minuteMs + ms;
      const after = other.open.map(({ startMs, endMs }) => ({ startMs: startMs + middleMs, endMs: endMs + middleMs }));
      const alone = { ...asked, shape: 'one' as const, hosts: [{ ...(first as SlotHost), optional: false }] };
      const withOpen = (more: Partial<SlotHost>) => ({
        ...alone,
        hosts: alone.hosts.map((one) => ({ ...one, ...more })),
      });
      const before = (first as SlotHost).open;
      const changing = listSlots(
        withOpen({
          open: normalizeSpans([
            ...before.flatMap((span) => clip(span, { startMs: Number.MIN_SAFE_INTEGER, endMs: changeMs })),
            ...after.flatMap((span) => clip(span, { startMs: changeMs, endMs: Number.MAX_SAFE_INTEGER })),
          ]),
          hours: [
            { fromMs: Number.MIN_SAFE_INTEGER, open: before },
            { fromMs: changeMs, open: after },
          ],
        }),
      );
      expect(changing.filter((start) => start >= changeMs)).toEqual(
        listSlots(withOpen({ open: after })).filter((start) => start >= changeMs),
      );
      const isOver = (start: number) => start + asked.durationMs <= changeMs;
      expect(changing.filter(isOver)).toEqual(listSlots(withOpen({ open: before })).filter(isOver));
    }),
    { numRuns: runs(300) },
  );
});
