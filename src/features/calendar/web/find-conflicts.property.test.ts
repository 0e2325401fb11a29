import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConflictCandidate, findConflicts } from './find-conflicts.ts';

const minuteMs = 60_000;
const candidate = (id: string, from: number, to: number, more: Partial<ConflictCandidate> = {}): ConflictCandidate => ({
  id,
  startMs: from * minuteMs,
  endMs: to * minuteMs,
  blocks: true,
  allDay: undefined,
  isTentative: false,
  isUnanswered: false,
  isFocus: false,
  ...more,
});

const anyEvents = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 60 }), fc.boolean(), fc.boolean()), {
    maxLength: 40,
  })
  .map((list) =>
    list.map(([from, length, blocks, isBooking], id) => candidate(`${id}`, from, from + length, { blocks, isBooking })),
  );

describe('findConflicts', () => {
  it('a mark stands for each pair that shares five minutes, and for no other', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const marks = findConflicts(events, 0);
        for (const [index, a] of events.entries()) {
          for (const b of events.slice(index + 1)) {
            const sharedMs = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
            const isMarked = marks.get(a.id)?.partners.includes(b.id) || marks.get(b.id)?.partners.includes(a.id);
            expect(isMarked ?? false).toBe(a.blocks && b.blocks && sharedMs >= 5 * minuteMs);
          }
        }
      }),
    );
  });

  it('a red mark is on bookings and on events at the same times only', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const byId = new Map(events.map((event) => [event.id, event]));
        for (const [id, { kind, partners }] of findConflicts(events, 0)) {
          const event = byId.get(id)!;
          const isSame = partners.some((other) => {
            const { startMs, endMs } = byId.get(other)!;
            return startMs === event.startMs && endMs === event.endMs;
          });
          expect(kind === 'conflict').toBe(event.isBooking || isSame);
        }
      }),
    );
  });

  it('the later of two events has the mark', () => {
    const marks = findConflicts([candidate('plumber', 0, 60), candidate('call', 30, 90)], 0);
    expect([...marks]).toEqual([['call', { kind: 'overlap', partners: ['plumber'] }]]);
  });

  it('the booking has the mark, whichever of the two begins first', () => {
    for (const from of [0, 30]) {
      const booking = candidate('booking', from, from + 60, { isBooking: true });
      const marks = findConflicts([candidate('lunch', 15, 75), booking], 0);
      expect([...marks]).toEqual([['booking', { kind: 'conflict', partners: ['lunch'] }]]);
    }
  });

  it('tentative, unanswered, focus, all-day and past events raise no mark', () => {
    const meeting = candidate('meeting', 0, 60);
    for (const more of [
      { isTentative: true },
      { isUnanswered: true },
      { isFocus: true },
      { blocks: false },
      { allDay: { firstDay: '2026-12-01', endDay: '2026-12-02' } },
    ]) {
      expect(findConflicts([meeting, candidate('other', 10, 70, more)], 0)).toEqual(new Map());
    }
    expect(findConflicts([meeting, candidate('over', 0, 30)], 30 * minuteMs)).toEqual(new Map());
  });
});
