import { describe, expect, it } from 'vitest';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import { dayNumberOf } from './wall-clock.ts';
import { otherMinute, zoneHours } from './zone-hours.ts';

const zone = (name: string) => loadZone(name) as Zone;
const week = (day: string) => ({ firstDay: dayNumberOf(day), dayCount: 7 });

describe('zoneHours', () => {
  it('the hours of another zone are shifted by its distance in minutes', () => {
    expect(zoneHours(zone('America/New_York'), zone('Asia/Tokyo'), week('2026-11-15'))).toEqual({
      shiftMinutes: 14 * 60,
      changesOn: undefined,
    });
    expect(zoneHours(zone('UTC'), zone('Asia/Kolkata'), week('2026-11-15')).shiftMinutes).toBe(330);
  });

  it('the hours of another zone shift on the day of a clock change', () => {
    // New York goes forward on Sunday the 14th, its first day of that week is the change itself.
    expect(zoneHours(zone('America/New_York'), zone('Asia/Tokyo'), week('2027-03-08'))).toEqual({
      shiftMinutes: 14 * 60,
      changesOn: { dayNumber: dayNumberOf('2027-03-14'), shiftMinutes: 13 * 60 },
    });
    expect(zoneHours(zone('America/New_York'), zone('Asia/Tokyo'), week('2027-03-14')).changesOn).toBeUndefined();
  });

  it('the hours of another zone keep their shift when both clocks change together', () => {
    expect(zoneHours(zone('Europe/Berlin'), zone('Europe/London'), week('2027-03-22'))).toEqual({
      shiftMinutes: -60,
      changesOn: undefined,
    });
  });
});

describe('otherMinute', () => {
  it('an hour in another zone crosses midnight in both directions', () => {
    expect(otherMinute(9, 14 * 60)).toEqual({ minute: 23 * 60, dayShift: 0 });
    expect(otherMinute(10, 14 * 60)).toEqual({ minute: 0, dayShift: 1 });
    expect(otherMinute(3, -5 * 60)).toEqual({ minute: 22 * 60, dayShift: -1 });
    expect(otherMinute(0, 330)).toEqual({ minute: 330, dayShift: 0 });
  });
});
