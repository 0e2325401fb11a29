import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConflictCandidate, countConflictPairs, findConflicts } from './find-conflicts.ts';

const anyEvents: fc.Arbitrary<ConflictCandidate[]> = fc
  .array(
    fc.record({
      startMs: fc.integer({ min: 0, max: 200 }),
      length: fc.integer({ min: 0, max: 60 }),
      blocks: fc.boolean(),
    }),
    {
      maxLength: 40,
    },
  )
  .map((list) =>
    list.map(({ startMs, length, blocks }, id) => ({ id: `${id}`, startMs, endMs: startMs + length, blocks })),
  );

function pairsOneByOne(events: readonly ConflictCandidate[]): string[] {
  const pairs: string[] = [];
  for (const a of events) {
    for (const b of events) {
      const solid = a.startMs < a.endMs && b.startMs < b.endMs;
      if (a !== b && a.blocks && b.blocks && solid && a.startMs < b.endMs && b.startMs < a.endMs) {
        pairs.push(`${a.id} ${b.id}`);
      }
    }
  }
  return pairs.toSorted();
}

describe('findConflicts', () => {
  it('conflicts are exactly the pairs that a comparison of all events finds', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const found = [...findConflicts(events)].flatMap(([id, partners]) => partners.map((other) => `${id} ${other}`));
        expect(found.toSorted()).toEqual(pairsOneByOne(events));
      }),
    );
  });

  it('a conflict is counted once, and only when both events overlap inside the range', () => {
    fc.assert(
      fc.property(
        anyEvents,
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 0, max: 100 }),
        (events, from, length) => {
          const to = from + length;
          const inside = events.map((event) => ({
            ...event,
            startMs: Math.max(event.startMs, from),
            endMs: Math.min(event.endMs, to),
          }));
          expect(countConflictPairs(events, from, to)).toBe(pairsOneByOne(inside).length / 2);
        },
      ),
    );
  });

  it('events that only touch and events that do not block are no conflict', () => {
    const first = { id: 'a', startMs: 0, endMs: 60, blocks: true };
    const next = { id: 'b', startMs: 60, endMs: 120, blocks: true };
    const mirrorOfFirst = { id: 'c', startMs: 0, endMs: 60, blocks: false };
    expect(findConflicts([first, next, mirrorOfFirst])).toEqual(new Map());
  });
});
