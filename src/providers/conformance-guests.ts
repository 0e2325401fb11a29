import { beforeEach, describe, expect, it } from 'vitest';
import { normalizeSpans, type Span } from '#kernel/time/intervals.ts';
import { type ConformanceWorld, signal } from './conformance-world.ts';

/** Busy times of others, as an adapter must tell them. */
export function describeFreeBusy(current: () => ConformanceWorld): void {
  describe('busy times of others', () => {
    let colleague: NonNullable<ConformanceWorld['colleague']>;
    let ask: (addresses: string[], range?: Span) => Promise<Record<string, readonly Span[] | null>>;

    beforeEach(({ skip }) => {
      const { provider, colleague: other } = current();
      const freeBusy = provider.freeBusy?.bind(provider);
      if (freeBusy === undefined || other === undefined) return skip('it tells nothing of others');
      colleague = other;
      ask = async (addresses, range = span('2027-03-08T00:00Z', '2027-03-15T00:00Z')) =>
        Object.fromEntries(
          [...(await freeBusy(addresses, range, signal()))].map(([address, busy]) => [
            address,
            busy === null ? null : normalizeSpans(busy),
          ]),
        );
    });

    it('a colleague is busy at the times of their events, and free between them', async () => {
      await colleague.meet('2027-03-09T09:00', 60);
      await colleague.meet('2027-03-10T14:00', 30);
      expect(await ask([colleague.address])).toEqual({
        [colleague.address]: [
          span('2027-03-09T09:00Z', '2027-03-09T10:00Z'),
          span('2027-03-10T14:00Z', '2027-03-10T14:30Z'),
        ],
      });
    });

    it('a colleague without events in the range is free', async () => {
      await colleague.meet('2027-03-09T09:00', 60);
      const range = span('2027-03-09T10:00Z', '2027-03-10T00:00Z');
      expect(await ask([colleague.address], range)).toEqual({ [colleague.address]: [] });
    });

    it('a person of whom nothing is known is not called free, and does not hide the others', async () => {
      const unknown = 'nobody@elsewhere.example';
      expect(await ask([unknown, colleague.address])).toEqual({ [unknown]: null, [colleague.address]: [] });
    });

    it('more people than one request takes are all answered', async () => {
      const many = Array.from({ length: 60 }, (_, n) => `nobody-${n}@elsewhere.example`);
      const told = await ask([...many, colleague.address]);
      expect(Object.keys(told)).toHaveLength(61);
      expect(told[colleague.address]).toEqual([]);
      expect(many.every((address) => told[address] === null)).toBe(true);
    });
  });
}

const span = (start: string, end: string): Span => ({
  startMs: Temporal.Instant.from(start).epochMilliseconds,
  endMs: Temporal.Instant.from(end).epochMilliseconds,
});
