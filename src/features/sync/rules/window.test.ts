import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mirrorWindow, ownersDay } from './window.ts';

const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const shown = ({ fromMs, toMs }: { fromMs: number; toMs: number }, zone: string) =>
  [fromMs, toMs].map((ms) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime().toString(),
  );

describe('mirror windows', () => {
  test('a mirror window is whole days of its owner, including today', () => {
    const window = mirrorWindow({ pastDays: 1, futureDays: 2 }, at('2027-03-01T23:30:00Z'), 'Europe/Berlin');
    expect(shown(window, 'Europe/Berlin')).toEqual(['2027-03-01T00:00:00', '2027-03-05T00:00:00']);
    expect(shown(mirrorWindow({ pastDays: 0, futureDays: 1 }, at('2027-03-01T23:30:00Z'), 'UTC'), 'UTC')).toEqual([
      '2027-03-01T00:00:00',
      '2027-03-03T00:00:00',
    ]);
  });

  test('a mirror window begins at the first moment of a day without midnight', () => {
    // in Beirut 28 March 2027 begins at 01:00
    const { fromMs } = mirrorWindow({ pastDays: 0, futureDays: 1 }, at('2027-03-28T09:00:00Z'), 'Asia/Beirut');
    expect(Temporal.Instant.fromEpochMilliseconds(fromMs).toString()).toBe('2027-03-27T22:00:00Z');
  });

  test('a mirror window is constant within a day and contains the present', () => {
    const zones = ['Europe/Berlin', 'Pacific/Kiritimati', 'America/New_York', 'Asia/Kolkata'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: at('2027-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') }),
        fc.nat(30),
        fc.integer({ min: 1, max: 400 }),
        (zone, nowMs, pastDays, futureDays) => {
          const window = mirrorWindow({ pastDays, futureDays }, nowMs, zone);
          expect(window.fromMs).toBeLessThanOrEqual(nowMs);
          expect(window.toMs).toBeGreaterThan(nowMs);
          const start = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).startOfDay();
          const end = start.add({ days: 1 }).epochMilliseconds - 1;
          for (const ms of [start.epochMilliseconds, end]) {
            expect(mirrorWindow({ pastDays, futureDays }, ms, zone)).toEqual(window);
            expect(ownersDay(ms, zone)).toBe(ownersDay(nowMs, zone));
          }
          expect(ownersDay(end + 1, zone)).not.toBe(ownersDay(nowMs, zone));
        },
      ),
      { numRuns: 200 },
    );
  });
});
