import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minuteMs } from '#kernel/time/civil.ts';
import { type Span, subtractSpans } from '#kernel/time/intervals.ts';
import { runs } from '../../../test/harness/law-budget.ts';
import { listSlots } from './list-slots.ts';
import type { SlotHost, SlotQuestion } from './slot-question.ts';

/** Around a spring in which the clock skips an hour, and an autumn in which one comes twice. */
const worlds = [
  { zone: 'America/New_York', middle: '2027-03-14T07:00:00Z' },
  { zone: 'Europe/Berlin', middle: '2027-10-31T01:00:00Z' },
  { zone: 'Australia/Lord_Howe', middle: '2027-04-03T15:00:00Z' },
];
const half = 1_440;
const spans = (most: number) =>
  fc.array(
    fc
      .tuple(fc.integer({ min: -half, max: half }), fc.integer({ min: 10, max: 600 }))
      .map(([from, length]): Span => ({ startMs: from * minuteMs, endMs: (from + length) * minuteMs })),
    { maxLength: most },
  );
const host = fc.record({ closed: spans(4), busy: spans(4), blocks: spans(3), optional: fc.boolean() });

/** Several people with one grid: each is open but for some spans, and what they can is told apart by every quarter of an hour. */
const asked = fc
  .record({
    world: fc.constantFrom(...worlds),
    people: fc.array(host, { minLength: 1, maxLength: 10 }),
    quorum: fc.integer({ min: 1, max: 4 }),
    duration: fc.constantFrom(15, 30, 60),
    buffer: fc.constantFrom(0, 10),
  })
  .map(({ world, people, quorum, duration, buffer }) => {
    const middleMs = Temporal.Instant.from(world.middle).epochMilliseconds;
    const move = ({ startMs, endMs }: Span) => ({ startMs: startMs + middleMs, endMs: endMs + middleMs });
    const sorted = (list: Span[]) => list.map(move).sort((a, b) => a.startMs - b.startMs);
    const range = { startMs: middleMs - half * minuteMs, endMs: middleMs + half * minuteMs };
    const always = [{ startMs: range.startMs - 3 * half * minuteMs, endMs: range.endMs + 3 * half * minuteMs }];
    const hosts = people.map(
      (one, n): SlotHost => ({
        id: `host-${n}`,
        open: sorted(one.closed).reduce<readonly Span[]>((open, span) => subtractSpans(open, [span]), always),
        busy: sorted(one.busy),
        blocks: sorted(one.blocks).map((span) => ({ ...span, kind: 'booking' as const })),
        optional: one.optional && n > 0,
      }),
    );
    const count = (2 * half) / 15;
    const question: SlotQuestion = {
      range,
      nowMs: range.startMs - 1,
      zone: world.zone,
      hosts,
      shape: 'collective',
      durationMs: duration * minuteMs,
      stepMs: 15 * minuteMs,
      bufferBeforeMs: buffer * minuteMs,
      bufferAfterMs: 0,
      noticeMs: 0,
      window: always[0] as Span,
      limits: {},
      only: Array.from({ length: count }, (_, n) => range.startMs + n * 15 * minuteMs),
    };
    return { question, quorum };
  });

/** How many of these could take each start alone, by what is in their way and nothing of the engine. */
function countAlone({ only = [], ...question }: SlotQuestion, hosts: readonly SlotHost[]): Map<number, number> {
  const overlaps = (a: Span, b: Span) => a.startMs < b.endMs && b.startMs < a.endMs;
  const isFree = (one: SlotHost, startMs: number) => {
    const endMs = startMs + question.durationMs;
    const wide = { startMs: startMs - question.bufferBeforeMs, endMs: endMs + question.bufferAfterMs };
    return (
      one.open.some((span) => span.startMs <= startMs && endMs <= span.endMs) &&
      ![...one.busy, ...one.blocks].some((span) => overlaps(span, wide))
    );
  };
  return new Map(only.map((startMs) => [startMs, hosts.filter((one) => isFree(one, startMs)).length]));
}

const startsOf = (counts: Map<number, number>, least: number) =>
  [...counts].filter(([, count]) => count >= least).map(([startMs]) => startMs);

describe('slots of several hosts', () => {
  it('a collective slot needs all required hosts, and a quorum slot enough of them', () => {
    let offered = 0;
    fc.assert(
      fc.property(asked, ({ question, quorum }) => {
        const required = question.hosts.filter(({ optional }) => !optional);
        const counts = countAlone(question, required);
        const all = listSlots(question);
        offered += all.length;
        expect(all).toEqual(startsOf(counts, required.length));
        expect(listSlots({ ...question, quorum })).toEqual(startsOf(counts, quorum));
      }),
      { numRuns: runs(300) },
    );
    expect(offered).toBeGreaterThan(runs(2_000));
  });

  it('a round robin offers every slot that any host can take', () => {
    fc.assert(
      fc.property(asked, ({ question }) => {
        const hosts = question.hosts.map((one) => ({ ...one, optional: false }));
        expect(listSlots({ ...question, hosts, shape: 'round-robin' })).toEqual(
          startsOf(countAlone(question, hosts), 1),
        );
      }),
      { numRuns: runs(300) },
    );
  });

  it('an optional host never removes a slot', () => {
    fc.assert(
      fc.property(asked, ({ question }) => {
        const without = { ...question, hosts: question.hosts.filter(({ optional }) => !optional) };
        expect(listSlots(question)).toEqual(listSlots(without));
      }),
      { numRuns: runs(200) },
    );
  });
});
