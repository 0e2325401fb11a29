import { describe, expect, it } from 'vitest';
import { isZoneFor, listZones } from './find-zones.ts';

const winter = Temporal.Instant.from('2026-12-01T00:00:00Z').epochMilliseconds;
const zones = listZones(['America/New_York'], winter);
const found = (typed: string) => zones.filter(({ label }) => isZoneFor(label, typed)).map(({ value }) => value);

describe('zone search', () => {
  it('requested zones come first, and each zone is listed once', () => {
    expect(zones[0]?.label).toBe('America/New York (GMT−5)');
    expect(new Set(zones.map(({ value }) => value)).size).toBe(zones.length);
  });

  it('zones are found by city, in any letter case and word order', () => {
    expect(found('tokyo')).toEqual(['Asia/Tokyo']);
    expect(found('york america')).toEqual(['America/New_York']);
    // Whatever this machine calls them.
    expect([found('kolkata'), found('kyiv')]).toEqual([['Asia/Kolkata'], ['Europe/Kyiv']]);
  });

  it('zones are found by their UTC offset in any notation', () => {
    for (const typed of ['+5:30', 'GMT+5:30', 'utc+05:30']) expect(found(typed)).toContain('Asia/Colombo');
    expect(found('utc-5')).toContain('America/New_York');
    expect(found('+1')).toContain('Europe/Berlin');
    expect(found('+1')).not.toContain('Australia/Sydney');
  });

  it('zones are not found by an unknown name', () => {
    expect(found('atlantis')).toEqual([]);
  });
});
