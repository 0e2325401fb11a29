import { describe, expect, it } from 'vitest';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import { offHours, usualHours } from './off-hours.ts';
import { dayNumberOf } from './wall-clock.ts';

const zone = (name: string) => loadZone(name) as Zone;
const hoursOf = (day: string, grid: string, own: string) =>
  offHours(dayNumberOf(day), zone(grid), zone(own), usualHours).map(({ startMinute, endMinute }) => [
    startMinute / 60,
    endMinute / 60,
  ]);

describe('offHours', () => {
  it('is what lies before nine and after five, and the whole of a weekend', () => {
    expect(hoursOf('2026-11-20', 'Europe/Berlin', 'Europe/Berlin')).toEqual([
      [0, 9],
      [17, 24],
    ]);
    expect(hoursOf('2026-11-21', 'Europe/Berlin', 'Europe/Berlin')).toEqual([[0, 24]]);
  });

  it('follows the clock of the person, not that of the grid', () => {
    // Nine to five in New York is eleven at night to seven in the morning in Tokyo.
    expect(hoursOf('2026-11-18', 'Asia/Tokyo', 'America/New_York')).toEqual([[7, 23]]);
    // Their Friday reaches into Saturday there, their weekend into Monday.
    expect(hoursOf('2026-11-21', 'Asia/Tokyo', 'America/New_York')).toEqual([[7, 24]]);
    expect(hoursOf('2026-11-23', 'Asia/Tokyo', 'America/New_York')).toEqual([[0, 23]]);
  });

  it('keeps to the wall on a day on which the clocks change', () => {
    const monday = offHours(dayNumberOf('2027-03-14'), zone('America/New_York'), zone('America/New_York'), () => ({
      startMinute: 9 * 60,
      endMinute: 17 * 60,
    }));
    expect(monday).toEqual([
      { startMinute: 0, endMinute: 540 },
      { startMinute: 1020, endMinute: 1440 },
    ]);
  });
});
