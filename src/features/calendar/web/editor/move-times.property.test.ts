import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hourMs, minuteMs } from '#kernel/time/civil.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import type { EventWhen } from './edit-shapes.ts';
import { localMs } from './event-draft.ts';
import { whenOfDrop } from './move-times.ts';

const zoneOf = (name: string) => loadZone(name) ?? utc;
const names = ['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'Australia/Lord_Howe', 'Africa/Casablanca', 'UTC'];
const zone = fc.constantFrom(...names).map(zoneOf);
/** Around the changes of 2027 in New York and Berlin, to the quarter. */
const quarter = fc
  .tuple(
    fc.constantFrom(
      ...['2027-03-14', '2027-03-28', '2027-10-31', '2027-11-07', '2027-06-15'].map((day) => localMs(day) ?? 0),
    ),
    fc.integer({ min: -200, max: 200 }),
  )
  .map(([day, quarters]) => day + quarters * 15 * minuteMs);

const instantOf = (own: Zone, wall: string) => own.toInstant(localMs(wall) ?? Number.NaN);
const isSecondOfDoubled = (own: Zone, atMs: number) => own.toInstant(own.toLocal(atMs)) !== atMs;
const timedIn = (own: Zone): EventWhen => ({
  kind: 'timed',
  start: '2027-01-01T09:00',
  end: '2027-01-01T10:00',
  zone: own.id,
});

describe('whenOfDrop', () => {
  it('a dropped event keeps its own zone, and starts and ends at the instants of the drop', () => {
    fc.assert(
      fc.property(zone, zone, quarter, fc.integer({ min: 1, max: 200 }), (own, grid, startMs, quarters) => {
        const endMs = startMs + quarters * 15 * minuteMs;
        fc.pre(!isSecondOfDoubled(own, startMs) && !isSecondOfDoubled(own, endMs));
        const when = whenOfDrop(timedIn(own), { startMs, endMs, allDay: undefined }, grid);
        if (when.kind !== 'timed') throw new Error('hours stay hours');
        expect(when.zone).toBe(own.id);
        expect(instantOf(own, when.start)).toBe(startMs);
        expect(instantOf(own, when.end)).toBe(endMs);
      }),
    );
  });

  it('a dropped event never ends before it starts, in a repeated hour either', () => {
    fc.assert(
      fc.property(zone, quarter, fc.integer({ min: 1, max: 8 }), (own, startMs, quarters) => {
        const when = whenOfDrop(
          timedIn(own),
          { startMs, endMs: startMs + quarters * 15 * minuteMs, allDay: undefined },
          own,
        );
        expect(when.end > when.start).toBe(true);
        expect(instantOf(own, when.start) - startMs).toBeGreaterThanOrEqual(-hourMs);
      }),
    );
  });

  it('a dropped all-day event takes the new days, and the zone of the grid once it gets hours', () => {
    const days: EventWhen = { kind: 'all-day', start: '2027-03-14', end: '2027-03-15' };
    const allDay = { firstDay: '2027-03-16', endDay: '2027-03-18' };
    expect(whenOfDrop(days, { startMs: 0, endMs: 1, allDay }, zoneOf('Asia/Tokyo'))).toEqual({
      kind: 'all-day',
      start: '2027-03-16',
      end: '2027-03-18',
    });
    const startMs = Temporal.ZonedDateTime.from('2027-03-14T09:00[America/New_York]').epochMilliseconds;
    expect(
      whenOfDrop(days, { startMs, endMs: startMs + hourMs, allDay: undefined }, zoneOf('America/New_York')),
    ).toEqual({ kind: 'timed', start: '2027-03-14T09:00', end: '2027-03-14T10:00', zone: 'America/New_York' });
  });
});
