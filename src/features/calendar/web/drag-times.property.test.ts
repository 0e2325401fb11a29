import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import {
  daysTimes,
  droppedTimes,
  type GridPlace,
  movedBy,
  rangeOf,
  resizedBy,
  snapMinutes,
  steppedBy,
} from './drag-times.ts';
import { dayNumberOf, dayOfNumber, type EventTimes } from './wall-clock.ts';

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
const zoneOf = (name: string) => loadZone(name) as Zone;
const minuteMs = 60_000;
const dayMs = 86_400_000;
const day = (text: string) => dayNumberOf(text);

/** Wall-clock ms to an instant as Temporal does it. */
function instantByTemporal(zone: string, wallMs: number): number {
  return Temporal.Instant.fromEpochMilliseconds(wallMs)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime()
    .toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
}

const wallByTemporal = (zone: string, ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime();

/** Days of a clock change and others, in any zone: what a person may point at. */
const anyDay = fc.integer({ min: day('2020-01-01'), max: day('2030-01-01') });
const anyZone = fc.constantFrom(...zones);
const aroundChange = fc.tuple(anyZone, fc.integer({ min: 0, max: 9 })).chain(([name, year]) => {
  const from = Temporal.PlainDateTime.from(`${2020 + year}-01-01T00:00`).toZonedDateTime(name);
  const changes: Temporal.ZonedDateTime[] = [];
  for (
    let change = from.getTimeZoneTransition('next');
    change !== null && change.year === from.year;
    change = change.getTimeZoneTransition('next')
  ) {
    changes.push(change);
  }
  const days = changes.map((change) => dayNumberOf(change.toPlainDate().toString()));
  return fc.tuple(fc.constant(name), days.length === 0 ? anyDay : fc.constantFrom(...days));
});
const zoneAndDay = fc.oneof(aroundChange, fc.tuple(anyZone, anyDay));
const minute = fc.integer({ min: 0, max: 1439 });
const event = (zone: string, dayNumber: number, at: number, length: number): EventTimes => {
  const startMs = instantByTemporal(zone, dayNumber * dayMs + at * minuteMs);
  return { startMs, endMs: startMs + length * minuteMs, allDay: undefined };
};

describe('drawn ranges', () => {
  const draw = (zone: string, from: GridPlace, to: GridPlace) =>
    droppedTimes(zoneOf(zone), { kind: 'create', from }, to);
  const at = (dayNumber: number, minute: number, inDays = false): GridPlace => ({ dayNumber, minute, inDays });

  it('a drawn range starts and ends on the quarter hours around both points, at the instants Temporal finds', () => {
    fc.assert(
      fc.property(zoneAndDay, minute, minute, ([zone, on], from, to) => {
        const times = draw(zone, at(on, from), at(on, to));
        const start = Math.floor(Math.min(from, to) / 15) * 15;
        const end = Math.max(start + 15, Math.ceil(Math.max(from, to) / 15) * 15);
        expect(times.startMs).toBe(instantByTemporal(zone, on * dayMs + start * minuteMs));
        const endMs = instantByTemporal(zone, on * dayMs + end * minuteMs);
        expect(times.endMs).toBe(endMs > times.startMs ? endMs : times.startMs + (end - start) * minuteMs);
      }),
      { numRuns: 300 },
    );
  });

  it('a drawn range is written as local times that read back as a nonempty range with the same start', () => {
    fc.assert(
      fc.property(zoneAndDay, minute, minute, ([zone, on], from, to) => {
        const times = draw(zone, at(on, from), at(on, to));
        const range = rangeOf(zoneOf(zone), times);
        const read = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
        expect(read(range.startWall)).toBe(times.startMs);
        expect(read(range.endWall)).toBeGreaterThan(times.startMs);
      }),
      { numRuns: 300 },
    );
  });

  it('a drawn cell is one hour, at the end of a day and in a skipped hour too', () => {
    const hour = (on: string, from: number) => {
      const { startWall, endWall } = rangeOf(
        zoneOf('America/New_York'),
        draw('America/New_York', at(day(on), from * 60), at(day(on), from * 60 + 60)),
      );
      return [startWall, endWall];
    };
    expect(hour('2026-11-20', 23)).toEqual(['2026-11-20T23:00', '2026-11-21T00:00']);
    expect(hour('2027-03-14', 2)).toEqual(['2027-03-14T03:00', '2027-03-14T04:00']);
    expect(hour('2026-11-01', 1)).toEqual(['2026-11-01T01:00', '2026-11-01T02:00']);
  });

  it('a range drawn over whole days has an exclusive end, in either direction', () => {
    const range = { startWall: '2026-11-18', endWall: '2026-11-21', allDay: true };
    const [first, last] = [at(day('2026-11-18'), 0, true), at(day('2026-11-20'), 0, true)];
    expect(rangeOf(zoneOf('Asia/Tokyo'), draw('Asia/Tokyo', first, last))).toEqual(range);
    expect(rangeOf(zoneOf('Asia/Tokyo'), draw('Asia/Tokyo', last, first))).toEqual(range);
  });
});

describe('drops between hours and whole days', () => {
  const berlin = zoneOf('Europe/Berlin');
  const place = (on: string, minute: number, inDays: boolean): GridPlace => ({ dayNumber: day(on), minute, inDays });

  it('a timed event dropped on the all-day row takes that whole day', () => {
    const times = event('Europe/Berlin', day('2026-11-18'), 600, 90);
    const grab = { kind: 'move', times, from: place('2026-11-18', 620, false) } as const;
    expect(droppedTimes(berlin, grab, place('2026-11-20', 0, true)).allDay).toEqual({
      firstDay: '2026-11-20',
      endDay: '2026-11-21',
    });
  });

  it('an all-day event dropped on the hours is an hour long from that quarter hour', () => {
    const times = daysTimes(berlin, day('2026-11-18'), day('2026-11-20'));
    const grab = { kind: 'move', times, from: place('2026-11-19', 0, true) } as const;
    const after = droppedTimes(berlin, grab, place('2026-11-20', 617, false));
    expect(wallByTemporal('Europe/Berlin', after.startMs).toString()).toBe('2026-11-20T10:15:00');
    expect(after.endMs - after.startMs).toBe(60 * minuteMs);
  });
});

describe('moved events', () => {
  it('a moved event starts where Temporal puts its local time, and keeps its duration', () => {
    fc.assert(
      fc.property(
        zoneAndDay,
        minute,
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: -7, max: 7 }),
        fc.integer({ min: -96, max: 96 }),
        ([zone, on], at, length, days, quarters) => {
          // The event may come from another day, and is dropped on one where the clocks may change.
          const before = event(zone, on - days, at, length);
          const after = movedBy(zoneOf(zone), before, { days, minutes: quarters * snapMinutes });
          expect(after.endMs - after.startMs).toBe(length * minuteMs);
          const wall = wallByTemporal(zone, before.startMs);
          if (days === 0 && quarters === 0) return after.startMs === before.startMs;
          const from = wall.hour * 60 + wall.minute;
          const quarter = (quarters > 0 ? Math.floor : Math.ceil)((from + quarters * 15) / 15) * 15;
          const landed = quarters === 0 ? from : Math.min(1425, Math.max(0, quarter));
          const onDay = dayNumberOf(wall.toPlainDate().toString()) + days;
          return after.startMs === instantByTemporal(zone, onDay * dayMs + landed * minuteMs);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('an event moved into a skipped hour lands an hour later', () => {
    const newYork = zoneOf('America/New_York');
    const before = event('America/New_York', day('2027-03-13'), 150, 60);
    const after = movedBy(newYork, before, { days: 1, minutes: 0 });
    expect(wallByTemporal('America/New_York', after.startMs).toString()).toBe('2027-03-14T03:30:00');
    expect(after.endMs - after.startMs).toBe(60 * minuteMs);
  });

  it('a moved all-day event stays all-day', () => {
    const before = daysTimes(zoneOf('Europe/Berlin'), day('2026-10-24'), day('2026-10-26'));
    expect(movedBy(zoneOf('Europe/Berlin'), before, { days: 2, minutes: 45 }).allDay).toEqual({
      firstDay: '2026-10-26',
      endDay: '2026-10-28',
    });
  });
});

describe('resized events', () => {
  it('a resized event ends where Temporal puts its local time, at least a quarter hour after its start', () => {
    fc.assert(
      fc.property(
        zoneAndDay,
        minute,
        fc.integer({ min: 15, max: 1_200 }),
        fc.integer({ min: -96, max: 96 }).filter((quarters) => quarters !== 0),
        ([zone, on], at, length, quarters) => {
          const before = event(zone, on, at, length);
          const after = resizedBy(zoneOf(zone), before, { days: 0, minutes: quarters * snapMinutes });
          expect(after.startMs).toBe(before.startMs);
          expect(after.endMs).toBeGreaterThanOrEqual(before.startMs + 15 * minuteMs);
          const startWall = wallByTemporal(zone, before.startMs);
          const endWall = wallByTemporal(zone, before.endMs);
          // An end that the clocks put before the start is drawn by its length, as the grid draws it.
          const drawnEnd =
            Temporal.PlainDateTime.compare(endWall, startWall) <= 0 ? startWall.add({ minutes: length }) : endWall;
          const wallMs = drawnEnd.toZonedDateTime('UTC').epochMilliseconds + quarters * 15 * minuteMs;
          const snapped = (quarters > 0 ? Math.floor : Math.ceil)(wallMs / (15 * minuteMs)) * 15 * minuteMs;
          const goal = instantByTemporal(zone, snapped);
          expect(after.endMs).toBe(Math.max(goal, before.startMs + 15 * minuteMs));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('a resized all-day event keeps at least one day', () => {
    const zone = zoneOf('Europe/Berlin');
    const before = daysTimes(zone, day('2026-11-18'), day('2026-11-20'));
    const after = resizedBy(zone, before, { days: -9, minutes: 0 });
    expect(after.allDay).toEqual({ firstDay: '2026-11-18', endDay: dayOfNumber(day('2026-11-19')) });
  });
});

describe('arrow keys', () => {
  it('an arrow key always moves an event in its direction in time and keeps its duration', () => {
    fc.assert(
      fc.property(
        zoneAndDay,
        minute,
        fc.integer({ min: 15, max: 1_200 }),
        fc.constantFrom(-1 as const, 1 as const),
        fc.integer({ min: 1, max: 12 }),
        ([zone, on], at, length, direction, presses) => {
          let times = event(zone, on, at, length);
          for (let press = 0; press < presses; press += 1) {
            const next = steppedBy(zoneOf(zone), times, direction, 'move');
            expect((next.startMs - times.startMs) * direction).toBeGreaterThan(0);
            expect(next.endMs - next.startMs).toBe(length * minuteMs);
            const wall = wallByTemporal(zone, next.startMs);
            expect(instantByTemporal(zone, wall.toZonedDateTime('UTC').epochMilliseconds)).toBe(next.startMs);
            times = next;
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('an arrow key crosses a skipped or repeated hour in one step', () => {
    const newYork = zoneOf('America/New_York');
    const at = (text: string): EventTimes => {
      const startMs = Temporal.ZonedDateTime.from(text).epochMilliseconds;
      return { startMs, endMs: startMs + 30 * minuteMs, allDay: undefined };
    };
    const step = (times: EventTimes, direction: -1 | 1) =>
      Temporal.Instant.fromEpochMilliseconds(steppedBy(newYork, times, direction, 'move').startMs)
        .toZonedDateTimeISO('America/New_York')
        .toString({ timeZoneName: 'never' });
    expect(step(at('2027-03-14T03:00-04:00[America/New_York]'), -1)).toBe('2027-03-14T01:45:00-05:00');
    expect(step(at('2027-03-14T01:45-05:00[America/New_York]'), 1)).toBe('2027-03-14T03:00:00-04:00');
    expect(step(at('2026-11-01T01:30-05:00[America/New_York]'), 1)).toBe('2026-11-01T02:00:00-05:00');
    expect(step(at('2026-11-01T02:00-05:00[America/New_York]'), -1)).toBe('2026-11-01T01:45:00-04:00');
  });

  it('an arrow key makes an event longer or shorter, never shorter than a quarter hour', () => {
    fc.assert(
      fc.property(zoneAndDay, minute, fc.integer({ min: 15, max: 600 }), ([zone, on], at, length) => {
        const before = event(zone, on, at, length);
        const longer = steppedBy(zoneOf(zone), before, 1, 'resize');
        const shorter = steppedBy(zoneOf(zone), before, -1, 'resize');
        expect(longer.startMs).toBe(before.startMs);
        expect(longer.endMs).toBeGreaterThan(before.endMs);
        expect(shorter.endMs).toBeGreaterThanOrEqual(before.startMs + 15 * minuteMs);
        expect(shorter.endMs).toBeLessThanOrEqual(Math.max(before.endMs, before.startMs + 15 * minuteMs));
      }),
      { numRuns: 200 },
    );
  });
});
