import { expect, test } from 'vitest';
import { ageOfZoneData } from './zone-data.ts';

const on = (day: string) => Temporal.Instant.from(`${day}T12:00:00Z`).epochMilliseconds;

test('time zone data is old 121 days after the release of its version', () => {
  expect(ageOfZoneData('2026e', on('2026-09-29'))).toEqual({ version: '2026e', days: 0, isOld: false });
  expect(ageOfZoneData('2026e', on('2027-01-27'))).toEqual({ version: '2026e', days: 120, isOld: false });
  expect(ageOfZoneData('2026e', on('2027-01-28'))).toEqual({ version: '2026e', days: 121, isOld: true });
  expect(ageOfZoneData('2025b', on('2026-09-29')).isOld).toBe(true);
});

test('a version that is not listed counts from about its day, and never from before a listed one', () => {
  expect(ageOfZoneData('2027b', on('2027-03-02')).days).toBe(0);
  expect(ageOfZoneData('2027b', on('2027-07-01')).isOld).toBe(true);
  expect(ageOfZoneData('2026g', on('2026-10-28')).days).toBe(0);
  expect(ageOfZoneData('2024a', on('2026-10-28')).isOld).toBe(true);
  expect(ageOfZoneData('', on('2026-10-28')).isOld).toBe(true);
  // a clock that is behind
  expect(ageOfZoneData('2026f', on('2026-01-01'))).toEqual({ version: '2026f', days: 0, isOld: false });
});
