import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import { dayNumberOf, dayOfNumber, wallSpan, wallTime } from './wall-clock.ts';

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
const zoneOf = (name: string) => loadZone(name) as Zone;
const minuteMs = 60_000;
const dayMs = 86_400_000;
const from = Temporal.Instant.from('2000-01-01T00:00Z').epochMilliseconds;
const to = Temporal.Instant.from('2040-01-01T00:00Z').epochMilliseconds;

function wallByTemporal(zone: string, ms: number): { dayNumber: number; minute: number } {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const dayNumber = local.toPlainDate().since('1970-01-01', { largestUnit: 'day' }).days;
  return { dayNumber, minute: local.hour * 60 + local.minute };
}

describe('wallTime', () => {
  it('local time matches Temporal in every zone', () => {
    expect(zones.length).toBeGreaterThan(400);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: from, max: to }), { minLength: 5, maxLength: 5 }), (instants) => {
        for (const zone of zones) {
          const clock = zoneOf(zone);
          for (const ms of instants) expect(wallTime(clock, ms)).toEqual(wallByTemporal(zone, ms));
        }
      }),
      { numRuns: 10 },
    );
  });

  it('local time matches Temporal around every clock change, in every zone', () => {
    let changes = 0;
    for (const zone of zones) {
      const clock = zoneOf(zone);
      let change = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).getTimeZoneTransition('next');
      while (change !== null && change.epochMilliseconds < to) {
        changes += 1;
        for (const minutes of [-61, -1, 0, 1, 61]) {
          const ms = change.epochMilliseconds + minutes * minuteMs;
          expect(wallTime(clock, ms), `${zone} ${change.toString()}`).toEqual(wallByTemporal(zone, ms));
        }
        change = change.getTimeZoneTransition('next');
      }
    }
    expect(changes).toBeGreaterThan(1_000);
  });
});

describe('wallSpan', () => {
  const berlin = zoneOf('Europe/Berlin');
  const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
  const minutes = (span: { startWallMs: number; endWallMs: number }) => [
    (span.startWallMs % dayMs) / minuteMs,
    (span.endWallMs % dayMs) / minuteMs,
  ];

  it('an event over the skipped hour of spring is drawn from its local start to its local end', () => {
    const event = { startMs: at('2027-03-28T00:30Z'), endMs: at('2027-03-28T01:30Z'), allDay: undefined };
    expect(minutes(wallSpan(berlin, event))).toEqual([90, 210]);
  });

  it('an event over the repeated hour of autumn is drawn from its local start to its local end', () => {
    const event = { startMs: at('2026-10-24T23:30Z'), endMs: at('2026-10-25T02:00Z'), allDay: undefined };
    expect(minutes(wallSpan(berlin, event))).toEqual([90, 180]);
  });

  it('an event keeps its duration when the clocks go back past its start', () => {
    const event = { startMs: at('2026-10-25T00:45Z'), endMs: at('2026-10-25T01:15Z'), allDay: undefined };
    expect(minutes(wallSpan(berlin, event))).toEqual([165, 195]);
  });

  it('an event is never drawn with its end before its start, in any zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: from, max: to }),
        fc.integer({ min: 0, max: 600 }),
        (zone, startMs, length) => {
          const span = wallSpan(zoneOf(zone), { startMs, endMs: startMs + length * minuteMs, allDay: undefined });
          expect(span.endWallMs).toBeGreaterThanOrEqual(span.startWallMs);
          if (length > 0) expect(span.endWallMs).toBeGreaterThan(span.startWallMs);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('an all-day event is drawn on its dates, whatever the zone', () => {
    const event = { startMs: 0, endMs: 0, allDay: { firstDay: '2026-11-20', endDay: '2026-11-22' } };
    const span = wallSpan(zoneOf('Pacific/Kiritimati'), event);
    expect([dayOfNumber(span.startWallMs / dayMs), dayOfNumber(span.endWallMs / dayMs)]).toEqual([
      '2026-11-20',
      '2026-11-22',
    ]);
  });
});

describe('dayNumberOf', () => {
  it('day numbers count from 1970 and convert back to dates', () => {
    expect(dayNumberOf('1970-01-02')).toBe(1);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), (day) => {
        expect(dayNumberOf(dayOfNumber(day))).toBe(day);
      }),
    );
  });
});
