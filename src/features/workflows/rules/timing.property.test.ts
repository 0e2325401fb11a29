import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/harness/law-budget.ts';
import { latestMs, leaveQuiet, quietAround, shiftMs } from './timing.ts';

/** Zones whose clocks change on different days, by an hour and by half of one, both ways. */
const zones = fc.constantFrom('America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC');
/** Around both changes of 2027 in each of them. */
const instants = fc.integer({ min: Date.UTC(2027, 0, 1), max: Date.UTC(2028, 0, 1) }).map((ms) => ms - (ms % 60_000));
const clock = fc.integer({ min: 0, max: 1_439 }).map((minute) => {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
});
const hours = fc.record({ from: clock, to: clock }).filter(({ from, to }) => from !== to);
const localOf = (ms: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);

describe('workflow offsets', () => {
  it('an offset of 24 hours is 24 hours across a clock change, and a day keeps the local time', () => {
    // Sunday, March 14, 2027, 02:00 is 03:00 in New York
    const monday = Date.UTC(2027, 2, 15, 1);
    expect(localOf(monday, 'America/New_York').toString()).toContain('2027-03-14T21:00');
    const before = shiftMs(monday, { amount: 24, unit: 'hours' }, -1, 'America/New_York');
    expect(localOf(before, 'America/New_York').toString()).toContain('2027-03-13T20:00');
    const dayBefore = shiftMs(monday, { amount: 1, unit: 'days' }, -1, 'America/New_York');
    expect(localOf(dayBefore, 'America/New_York').toString()).toContain('2027-03-13T21:00');
  });

  it('an offset in minutes or hours is the same length in every time zone', () => {
    fc.assert(
      fc.property(
        instants,
        zones,
        fc.nat(2_000),
        fc.constantFrom(1 as const, -1 as const),
        (ms, zone, amount, sign) => {
          expect(shiftMs(ms, { amount, unit: 'hours' }, sign, zone)).toBe(ms + sign * amount * 3_600_000);
          expect(shiftMs(ms, { amount, unit: 'minutes' }, sign, zone)).toBe(ms + sign * amount * 60_000);
        },
      ),
    );
  });

  it('an offset in days or weeks keeps the local time, or moves past a clock change gap', () => {
    fc.assert(
      fc.property(
        instants,
        zones,
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(1 as const, -1 as const),
        (ms, zone, amount, sign) => {
          const from = localOf(ms, zone);
          const to = localOf(shiftMs(ms, { amount, unit: 'days' }, sign, zone), zone);
          const wanted = from.toPlainDateTime().add({ days: sign * amount });
          const gapMinutes = wanted.until(to.toPlainDateTime()).total('minutes');
          expect(to.toPlainDate().equals(wanted.toPlainDate())).toBe(true);
          expect([0, 30, 60]).toContain(gapMinutes);
          expect(shiftMs(ms, { amount: 7, unit: 'days' }, sign, zone)).toBe(
            shiftMs(ms, { amount: 1, unit: 'weeks' }, sign, zone),
          );
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

describe('quiet hours', () => {
  it("quiet hours follow the recipient's time zone, span midnight and exclude their end", () => {
    const night = { hours: { from: '21:00', to: '08:00' }, zone: 'Asia/Tokyo' };
    const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
    expect(quietAround(at('2027-03-08T11:59:00Z'), night)).toBe(null);
    expect(quietAround(at('2027-03-08T12:00:00Z'), night)?.endMs).toBe(at('2027-03-08T23:00:00Z'));
    expect(quietAround(at('2027-03-08T22:59:00Z'), night)?.startMs).toBe(at('2027-03-08T12:00:00Z'));
    expect(quietAround(at('2027-03-08T23:00:00Z'), night)).toBe(null);
  });

  it('a send time moved out of quiet hours is the nearest one allowed and never too late', () => {
    fc.assert(
      fc.property(
        instants,
        zones,
        hours,
        fc.integer({ min: 1, max: 2_880 }),
        fc.nat(4_000),
        (due, zone, quiet, ahead, behind) => {
          const beforeMs = due + ahead * 60_000;
          const earliestMs = due - behind * 60_000;
          const left = leaveQuiet(due, { hours: quiet, zone }, { earliestMs, beforeMs });
          const around = quietAround(due, { hours: quiet, zone });
          if (around === null) {
            expect(left).toBe(due);
          } else if (left !== null) {
            expect(left === around.endMs || left === around.startMs - 60_000).toBe(true);
            expect(left).toBeLessThan(beforeMs);
            expect(left).toBeGreaterThanOrEqual(Math.min(earliestMs, around.endMs));
          } else {
            expect(around.endMs >= beforeMs && around.startMs - 60_000 < earliestMs).toBe(true);
          }
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('quiet hours contain the given time and are followed by allowed time', () => {
    fc.assert(
      fc.property(instants, zones, hours, (ms, zone, quiet) => {
        const around = quietAround(ms, { hours: quiet, zone });
        if (around === null) return;
        expect(around.startMs).toBeLessThanOrEqual(ms);
        expect(ms).toBeLessThan(around.endMs);
        const next = quietAround(around.endMs, { hours: quiet, zone });
        // where the only free minutes are left out by the clock, one night follows the other
        if (localOf(around.endMs, zone).hoursInDay === 24) expect(next).toBe(null);
      }),
      { numRuns: runs(500) },
    );
  });
});

it('a reminder is useful for ten minutes and never after the meeting has begun', () => {
  const startMs = Date.UTC(2027, 2, 8, 14);
  const due = startMs - 300_000;
  expect(latestMs({ trigger: 'before-event', if_late: 'skip' }, due, startMs)).toBe(startMs);
  expect(latestMs({ trigger: 'before-event', if_late: 'send' }, startMs - 86_400_000, startMs)).toBe(startMs);
  expect(latestMs({ trigger: 'after-event', if_late: 'skip' }, due, null)).toBe(due + 600_000);
  expect(latestMs({ trigger: 'booking-created', if_late: 'send' }, due, null)).toBe(due + 86_400_000);
});
