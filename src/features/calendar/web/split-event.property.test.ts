import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitEvent } from './split-event.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const monday = 20_000;

const anySpan = fc
  .record({
    startMinute: fc.integer({ min: -3 * 1440, max: 10 * 1440 }),
    minutes: fc.oneof(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 1440, max: 14 * 1440 })),
    allDay: fc.boolean(),
  })
  .map(({ startMinute, minutes, allDay }) => {
    const startWallMs = monday * dayMs + startMinute * minuteMs;
    return { startWallMs, endWallMs: startWallMs + minutes * minuteMs, allDay };
  });

describe('splitEvent', () => {
  it('a timed event keeps every minute inside the week and gains none', () => {
    fc.assert(
      fc.property(anySpan, (span) => {
        const parts = splitEvent(span, monday, 7);
        if (parts.kind !== 'segments') return;
        const total = parts.segments.reduce((sum, { startMinute, endMinute }) => sum + endMinute - startMinute, 0);
        const from = Math.max(span.startWallMs, monday * dayMs);
        const to = Math.min(span.endWallMs, (monday + 7) * dayMs);
        expect(total * minuteMs).toBe(to - from);
        for (const { column, startMinute, endMinute } of parts.segments) {
          expect(column).toBeGreaterThanOrEqual(0);
          expect(column).toBeLessThan(7);
          expect(startMinute).toBeGreaterThanOrEqual(0);
          expect(endMinute).toBeLessThanOrEqual(1440);
          expect(endMinute).toBeGreaterThanOrEqual(startMinute);
        }
      }),
    );
  });

  it('an event is shown exactly when it touches the week', () => {
    fc.assert(
      fc.property(anySpan, (span) => {
        // An event without length, and an all-day one that ends where it starts, still touch their first minute.
        const end = Math.max(span.endWallMs, span.startWallMs + 1);
        const touches = span.startWallMs < (monday + 7) * dayMs && end > monday * dayMs;
        expect(splitEvent(span, monday, 7).kind !== 'outside').toBe(touches);
      }),
    );
  });

  it('an event says whether it continues before or after its drawn part', () => {
    fc.assert(
      fc.property(anySpan, (span) => {
        const parts = splitEvent(span, monday, 7);
        if (parts.kind === 'outside') return;
        const pieces = parts.kind === 'bar' ? [parts.bar] : parts.segments;
        for (const piece of pieces) {
          const first = 'column' in piece ? piece.column : piece.fromColumn;
          const end = 'column' in piece ? piece.column + 1 : piece.toColumn;
          expect(piece.continuesBefore).toBe(span.startWallMs < (monday + first) * dayMs);
          expect(piece.continuesAfter).toBe(span.endWallMs > (monday + end) * dayMs);
        }
      }),
    );
  });

  it('all-day events and events of 24 hours are drawn in the all-day row', () => {
    const noon = monday * dayMs + 720 * minuteMs;
    expect(splitEvent({ startWallMs: noon, endWallMs: noon + dayMs, allDay: false }, monday, 7)).toEqual({
      kind: 'bar',
      bar: { fromColumn: 0, toColumn: 2, continuesBefore: false, continuesAfter: false },
    });
    expect(splitEvent({ startWallMs: noon, endWallMs: noon + dayMs - minuteMs, allDay: false }, monday, 7).kind).toBe(
      'segments',
    );
    const allDay = { startWallMs: monday * dayMs, endWallMs: (monday + 1) * dayMs, allDay: true };
    expect(splitEvent(allDay, monday, 7)).toMatchObject({ kind: 'bar', bar: { fromColumn: 0, toColumn: 1 } });
  });

  it('a night shift is split at midnight into two days', () => {
    const start = monday * dayMs + 22 * 60 * minuteMs;
    expect(splitEvent({ startWallMs: start, endWallMs: start + 8 * 60 * minuteMs, allDay: false }, monday, 7)).toEqual({
      kind: 'segments',
      segments: [
        { column: 0, startMinute: 1320, endMinute: 1440, continuesBefore: false, continuesAfter: true },
        { column: 1, startMinute: 0, endMinute: 360, continuesBefore: true, continuesAfter: false },
      ],
    });
  });
});
