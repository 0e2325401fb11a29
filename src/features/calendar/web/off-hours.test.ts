import { describe, expect, it } from 'vitest';
import { defaultHours } from '#features/availability/rules/hours.ts';
import { compileFacts, compileHours, openSpans } from '#features/availability/rules/open-spans.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import { offHours } from './off-hours.ts';
import { dayNumberOf } from './wall-clock.ts';

const nothing = compileFacts({ daysOff: [], holidays: [], travels: [] });

/** Nine to five in `own`, on a day of a grid in another zone. */
const hoursOf = (day: string, grid: string, own: string) => {
  const at = dayNumberOf(day) * dayMs;
  const open = openSpans(compileHours(defaultHours(own)), nothing, { startMs: at - 9 * dayMs, endMs: at + 9 * dayMs });
  return offHours(dayNumberOf(day), loadZone(grid) as Zone, open).map(({ startMinute, endMinute }) => [
    startMinute / 60,
    endMinute / 60,
  ]);
};

describe('off hours', () => {
  it('off hours are the time before nine and after five, and the whole weekend', () => {
    expect(hoursOf('2026-11-20', 'Europe/Berlin', 'Europe/Berlin')).toEqual([
      [0, 9],
      [17, 24],
    ]);
    expect(hoursOf('2026-11-21', 'Europe/Berlin', 'Europe/Berlin')).toEqual([[0, 24]]);
  });

  it('off hours follow the zone of the person, not the zone of the grid', () => {
    // Nine to five in New York is eleven at night to seven in the morning in Tokyo.
    expect(hoursOf('2026-11-18', 'Asia/Tokyo', 'America/New_York')).toEqual([[7, 23]]);
    // a Friday in New York reaches into Saturday in Tokyo, and a weekend into Monday
    expect(hoursOf('2026-11-21', 'Asia/Tokyo', 'America/New_York')).toEqual([[7, 24]]);
    expect(hoursOf('2026-11-23', 'Asia/Tokyo', 'America/New_York')).toEqual([[0, 23]]);
  });

  it('off hours keep their local times after a clock change', () => {
    expect(hoursOf('2027-03-15', 'America/New_York', 'America/New_York')).toEqual([
      [0, 9],
      [17, 24],
    ]);
  });
});
