import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { resolveZone } from '#kernel/ical/time-zone.ts';
import { windowsZones } from '#kernel/ical/windows-zones.ts';
import { writeVtimezone } from '#kernel/ical/write-vtimezone.ts';
import { dayMs, dayNumber, hourMs } from '#kernel/time/civil.ts';
import { timesAt } from '#kernel/time/event-times.ts';
import { loadZone, type Zone } from '#kernel/time/zones.ts';

/** The offset that ical.js, another reader, takes from our VTIMEZONE for a wall-clock time. */
function readOffset(zone: ICAL.Timezone, localMs: number): number {
  const at = new Date(localMs);
  const time = new ICAL.Time(
    {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth() + 1,
      day: at.getUTCDate(),
      hour: at.getUTCHours(),
      minute: at.getUTCMinutes(),
      second: 0,
      isDate: false,
    },
    zone,
  );
  return zone.utcOffset(time) * 1_000;
}

const awkward = [
  'Africa/Casablanca',
  'Africa/Cairo',
  'America/Godthab',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/Vancouver',
  'Asia/Gaza',
  'Asia/Jerusalem',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Europe/Dublin',
  'Europe/Istanbul',
  'Pacific/Apia',
];
const names = [...new Set([...awkward, ...Object.values(windowsZones)])].filter((name) => name !== 'UTC');

test.each([1998, 2011, 2026])('a written VTIMEZONE gives ical.js the tz database offsets from %i on', (fromYear) => {
  let compared = 0;
  for (const name of names) {
    const zone = loadZone(name) as Zone;
    const text = `BEGIN:VCALENDAR\r\n${writeVtimezone(name, fromYear)}END:VCALENDAR\r\n`;
    const calendar = new ICAL.Component(ICAL.parse(text) as never);
    const read = new ICAL.Timezone(calendar.getFirstSubcomponent('vtimezone') as ICAL.Component);
    const fromMs = Date.UTC(fromYear, 0, 2);
    for (let ms = fromMs; ms < Date.UTC(fromYear + 12, 0, 1); ms += 9 * dayMs + 5 * hourMs) {
      const local = zone.toLocal(ms);
      // In the hours of a change two answers are right.
      if (zone.toInstant(local) !== ms || zone.offsetAt(ms - 3 * hourMs) !== zone.offsetAt(ms + 3 * hourMs)) continue;
      const offset = readOffset(read, local);
      if (offset !== zone.offsetAt(ms)) {
        expect.fail(
          `${name} at ${new Date(ms).toISOString()}: ${offset / hourMs}, not ${zone.offsetAt(ms) / hourMs}\n${text}`,
        );
      }
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(names.length * 400);
});

test('a written VTIMEZONE matched by its observances gives a zone with the same clock', () => {
  let matched = 0;
  for (const name of names) {
    const zone = loadZone(name) as Zone;
    const found = resolveZone(
      'Nowhere in particular',
      writeVtimezone(name, 2025),
      timesAt(dayNumber(2027, 1, 1) * dayMs),
    );
    if (found === null) continue;
    matched += 1;
    const same = loadZone(found.zone) as Zone;
    for (let ms = dayNumber(2027, 1, 1) * dayMs; ms < Date.UTC(2029, 0, 1); ms += 12 * hourMs) {
      if (same.offsetAt(ms) !== zone.offsetAt(ms)) expect.fail(`${name} was taken for ${found.zone}`);
    }
  }
  expect(matched).toBeGreaterThan(names.length - 3);
});

test('a VTIMEZONE of a zone with yearly rules needs two observances', () => {
  expect(writeVtimezone('America/New_York', 2027)).toBe(
    [
      'BEGIN:VTIMEZONE',
      'TZID:America/New_York',
      'BEGIN:DAYLIGHT',
      'DTSTART:20070311T020000',
      'TZOFFSETFROM:-0500',
      'TZOFFSETTO:-0400',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
      'END:DAYLIGHT',
      'BEGIN:STANDARD',
      'DTSTART:20071104T020000',
      'TZOFFSETFROM:-0400',
      'TZOFFSETTO:-0500',
      'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
      'END:STANDARD',
      'END:VTIMEZONE',
      '',
    ].join('\r\n'),
  );
});

test('a VTIMEZONE of any zone is small, and an unknown zone is refused', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) {
    for (const year of [1900, 1990, 2027, 2500]) expect(writeVtimezone(name, year).length).toBeLessThan(16_000);
  }
  expect(() => writeVtimezone('Europe/Nowhere', 2027)).toThrow(RangeError);
});
