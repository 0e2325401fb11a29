import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contains,
  containsMs,
  intersectSpans,
  normalizeSpans,
  overlaps,
  type Span,
  splitSpans,
  subtractSpans,
  unionSpans,
} from '#kernel/time/intervals.ts';

/** Small numbers, so that spans meet, touch and are empty often; some are the wrong way round. */
const moment = fc.integer({ min: 0, max: 40 });
const span: fc.Arbitrary<Span> = fc.record({ startMs: moment, endMs: moment });
const list = fc.array(span, { maxLength: 12 }).map(normalizeSpans);

const moments = Array.from({ length: 41 }, (_, n) => n);
const has = (spans: readonly Span[], at: number) => spans.some((one) => containsMs(one, at));

function expectSpanList(spans: readonly Span[]): void {
  spans.forEach((one, i) => {
    expect(one.startMs).toBeLessThan(one.endMs);
    if (i > 0) expect((spans[i - 1] as Span).endMs).toBeLessThan(one.startMs);
  });
}

describe('spans', () => {
  it('spans overlap only when they share a moment', () => {
    fc.assert(
      fc.property(span, span, (a, b) => {
        expect(overlaps(a, b)).toBe(moments.some((at) => containsMs(a, at) && containsMs(b, at)));
        expect(overlaps(a, b)).toBe(overlaps(b, a));
      }),
    );
  });

  it('spans that touch or have no length do not overlap', () => {
    expect(overlaps({ startMs: 0, endMs: 5 }, { startMs: 5, endMs: 9 })).toBe(false);
    expect(overlaps({ startMs: 3, endMs: 3 }, { startMs: 0, endMs: 9 })).toBe(false);
    expect(overlaps({ startMs: 6, endMs: 2 }, { startMs: 0, endMs: 9 })).toBe(false);
  });
});

describe('span lists', () => {
  it('a normalized span list holds the moments of its spans', () => {
    fc.assert(
      fc.property(fc.array(span), (spans) => {
        const given = normalizeSpans(spans);
        expectSpanList(given);
        for (const at of moments) expect(has(given, at)).toBe(has(spans, at));
        expect(normalizeSpans(given)).toEqual(given);
      }),
    );
  });

  it('span lists are united, intersected and subtracted moment by moment', () => {
    fc.assert(
      fc.property(list, list, (a, b) => {
        const union = unionSpans(a, b);
        const common = intersectSpans(a, b);
        const rest = subtractSpans(a, b);
        for (const given of [union, common, rest]) expectSpanList(given);
        for (const at of moments) {
          expect(has(union, at)).toBe(has(a, at) || has(b, at));
          expect(has(common, at)).toBe(has(a, at) && has(b, at));
          expect(has(rest, at)).toBe(has(a, at) && !has(b, at));
        }
        expect(unionSpans(common, rest)).toEqual(a);
      }),
    );
  });

  it('the parts of a span list between bounds hold its moments between them', () => {
    const bounds = fc
      .array(fc.integer({ min: -5, max: 45 }), { minLength: 1 })
      .map((all) => all.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(list, bounds, (spans, all) => {
        const parts = splitSpans(spans, all);
        expect(parts).toHaveLength(all.length - 1);
        for (const [n, part] of parts.entries()) {
          const [startMs, endMs] = [all[n] as number, all[n + 1] as number];
          expect(part).toEqual(startMs < endMs ? intersectSpans(spans, [{ startMs, endMs }]) : []);
        }
      }),
    );
  });

  it('a span list contains a span when it holds all of its moments', () => {
    fc.assert(
      fc.property(list, span, (spans, inner) => {
        const inside = moments.filter((at) => containsMs(inner, at));
        expect(contains(spans, inner)).toBe(inside.length > 0 && inside.every((at) => has(spans, at)));
      }),
    );
  });

  it('span functions do not change their input', () => {
    const given = [
      { startMs: 5, endMs: 9 },
      { startMs: 0, endMs: 6 },
    ];
    normalizeSpans(given);
    expect(given).toEqual([
      { startMs: 5, endMs: 9 },
      { startMs: 0, endMs: 6 },
    ]);
  });
});
