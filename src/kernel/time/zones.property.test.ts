import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { loadZone } from '#kernel/time/zones.ts';
import { runs } from '../../../test/harness/law-budget.ts';

// A law takes about a second alone, and shares its machine.
vi.setConfig({ testTimeout: 60_000 });

const hour = 3_600_000;
const around = [
  -25 * hour,
  -24 * hour,
  -2 * hour,
  -hour,
  -1,
  0,
  1,
  0.5 * hour,
  hour - 1,
  hour,
  2 * hour,
  24 * hour,
  25 * hour,
];

function temporalInstant(id: string, localMs: number): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(localMs).toZonedDateTimeISO('UTC').toPlainDateTime();
  return wall.toZonedDateTime(id, { disambiguation: 'compatible' }).epochMilliseconds;
}

function temporalLocal(id: string, instantMs: number): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(id);
  return instantMs + zoned.offsetNanoseconds / 1_000_000;
}

/** Compares with Temporal on both sides of each change of a zone in [fromYear, toYear); gives the number of changes. */
function compareChanges(id: string, fromYear: number, toYear: number): number {
  const zone = loadZone(id);
  if (zone === null) throw new Error(id);
  let changes = 0;
  const from = Temporal.ZonedDateTime.from({ year: fromYear, month: 1, day: 1, timeZone: id });
  for (
    let at = from.getTimeZoneTransition('next');
    at !== null && at.year < toYear;
    at = at.getTimeZoneTransition('next')
  ) {
    changes += 1;
    const localMs = at.epochMilliseconds + at.offsetNanoseconds / 1_000_000;
    for (const shift of around) {
      const instantMs = at.epochMilliseconds + shift;
      if (zone.toLocal(instantMs) !== temporalLocal(id, instantMs)) throw new Error(`${id} toLocal ${instantMs}`);
      const wallMs = localMs + shift;
      if (zone.toInstant(wallMs) !== temporalInstant(id, wallMs)) throw new Error(`${id} toInstant ${wallMs}`);
    }
  }
  return changes;
}

describe('zones and Temporal', () => {
  it('every zone agrees with Temporal around every change from 2000 to 2040', () => {
    const ids = Intl.supportedValuesOf('timeZone');
    expect(ids.length).toBeGreaterThan(400);
    const changes = ids.map((id) => compareChanges(id, 2000, 2040)).reduce((a, b) => a + b);
    expect(changes).toBeGreaterThan(5_000);
  });

  it.each([
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Casablanca',
    'Europe/Dublin',
    'Asia/Gaza',
    'America/New_York',
    'Asia/Manila',
    'America/Juneau',
    'Africa/Monrovia',
    'Pacific/Kiritimati',
    'Antarctica/Troll',
    'Asia/Pyongyang',
  ])('the zone %s agrees with Temporal around every change from 1900 to 2200', (id) => {
    expect(compareChanges(id, 1900, 2200)).toBeGreaterThan(0);
  });

  it('every zone agrees with Temporal at any time in any order', () => {
    const time = fc.integer({ min: Date.UTC(1900, 0, 1) / 1000, max: Date.UTC(2200, 0, 1) / 1000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
        fc.array(time, { minLength: 1, maxLength: 20 }),
        (id, times) => {
          const zone = loadZone(id);
          if (zone === null) throw new Error(id);
          for (const seconds of times) {
            const ms = seconds * 1_000;
            expect(zone.toInstant(ms)).toBe(temporalInstant(id, ms));
            expect(zone.toLocal(ms)).toBe(temporalLocal(id, ms));
            expect(zone.offsetAt(ms)).toBe(zone.toLocal(ms) - ms);
          }
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});
