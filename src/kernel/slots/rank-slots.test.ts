import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hourMs, minuteMs } from '#kernel/time/civil.ts';
import { listSlots } from './list-slots.ts';
import { rankSlots } from './rank-slots.ts';
import type { SlotQuestion } from './slot-question.ts';

function at(local: string): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime('Europe/Paris').epochMilliseconds;
}

const span = (from: string, to: string) => ({ startMs: at(from), endMs: at(to) });

/** Monday and Tuesday from nine to five; Monday has a meeting from eleven to twelve. */
const question: SlotQuestion = {
  range: span('2027-03-08T00:00', '2027-03-10T00:00'),
  nowMs: at('2027-03-01T08:00'),
  zone: 'Europe/Paris',
  hosts: [
    {
      id: 'ada',
      open: [span('2027-03-08T09:00', '2027-03-08T17:00'), span('2027-03-09T09:00', '2027-03-09T17:00')],
      busy: [span('2027-03-08T11:00', '2027-03-08T12:00')],
      blocks: [],
    },
  ],
  shape: 'one',
  durationMs: hourMs,
  stepMs: 30 * minuteMs,
  bufferBeforeMs: 0,
  bufferAfterMs: 0,
  noticeMs: 0,
  window: { startMs: 0, endMs: at('2028-01-01T00:00') },
  limits: {},
};
const slots = listSlots(question);
const nobody = { popularity: [], guestZone: 'Europe/Paris', count: 3 };

describe('recommended slots', () => {
  it('recommended slots keep the longest free time in one piece with room around it', () => {
    expect(rankSlots(question, slots, nobody).map(({ startMs }) => startMs)).toEqual([
      at('2027-03-08T09:30'), // between nine and eleven, while the afternoon stays whole
      at('2027-03-09T09:30'),
      at('2027-03-09T15:30'),
    ]);
  });

  it('three recommended slots are the first three of all slots by their score and start', () => {
    const all = rankSlots(question, slots, { ...nobody, count: slots.length });
    expect(all).toHaveLength(slots.length);
    expect(all.toSorted((a, b) => b.score - a.score || a.startMs - b.startMs)).toEqual(all);
    expect(rankSlots(question, slots, nobody)).toEqual(all.slice(0, 3));
    expect(rankSlots(question, slots.toReversed(), nobody)).toEqual(all.slice(0, 3));
  });

  it('recommended slots prefer the most popular hour, with that reason', () => {
    const popularity = Array.from({ length: 24 }, (_, hour) => (hour === 14 ? 9 : 1));
    const [best] = rankSlots(question, slots, { ...nobody, popularity });
    expect(best).toMatchObject({ startMs: at('2027-03-09T14:30'), because: 'popular' });
  });

  it('recommended slots are a subset of the offered ones for any zone of the guest', () => {
    const before = [...slots];
    fc.assert(
      fc.property(
        fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
        fc.array(fc.nat(9), { maxLength: 24 }),
        fc.integer({ min: 0, max: 5 }),
        (guestZone, popularity, count) => {
          const ranked = rankSlots(question, slots, { popularity, guestZone, count });
          expect(slots).toEqual(before);
          expect(ranked).toHaveLength(Math.min(count, slots.length));
          for (const { startMs, score } of ranked) {
            expect(slots).toContain(startMs);
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(1);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('recommended slots prefer waking hours of the guest when nothing else differs', () => {
    const evening = rankSlots(question, [at('2027-03-09T09:00'), at('2027-03-09T16:00')], {
      ...nobody,
      guestZone: 'America/New_York',
    });
    expect(evening[0]?.startMs).toBe(at('2027-03-09T16:00'));
  });
});
