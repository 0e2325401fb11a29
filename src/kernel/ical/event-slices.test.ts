import { expect, test } from 'vitest';
import type { Component, PlacedLine, Scan } from '#kernel/ical/content-lines.ts';
import { buildObject, type ParsedObject } from '#kernel/ical/parse-object.ts';
import { gatherEvent } from '#kernel/ical/read-event.ts';
import { readBusyPeriods } from '#kernel/ical/read-freebusy.ts';
import { createZoneLookup, indexTimezones } from '#kernel/ical/zone-lookup.ts';
import { timesAt } from '#kernel/time/event-times.ts';

/** Work between two pauses within one event. A line takes one or two microseconds, so a slice is far below 50 ms. */

const looked = new Set<PlacedLine>();

function component(name: string, lines: readonly string[]): Component {
  const placed = lines.map((text): PlacedLine => {
    const nameEnd = text.search(/[:;]/);
    return {
      name: text.slice(0, nameEnd),
      nameEnd,
      start: 0,
      end: text.length,
      get text() {
        looked.add(this);
        return text;
      },
    };
  });
  return { name, lines: placed, components: [], start: 0, end: 0, bodyEnd: 0, closed: true, damaged: false };
}

const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const two = (n: number) => String(n).padStart(2, '0');
/** 40,000 different minutes. */
const stamp = (n: number) =>
  `202703${two(1 + (Math.floor(n / 1_440) % 28))}T${two(Math.floor(n / 60) % 24)}${two(n % 60)}00Z`;
const series = ['UID:a', 'DTSTART:20270301T080000Z', 'RRULE:FREQ=MINUTELY'];
const changed = (n: number, ...more: string[]) => [
  'UID:a',
  `RECURRENCE-ID:${stamp(n)}`,
  `DTSTART:${stamp(n)}`,
  ...more,
];

function build(
  events: readonly (readonly string[])[],
  self: readonly string[] = [],
): { mostLines: number; mostChars: number; object: ParsedObject } {
  const scan: Scan = { ok: true, text: '', roots: [], complete: true, damaged: false, warnings: [] };
  const context = { selfAddresses: self, tags: { verify: () => false } };
  const raw = events.map((lines) => gatherEvent(component('VEVENT', lines)));
  const work = buildObject('a', raw, scan, indexTimezones('', []), context);
  let [mostLines, mostChars] = [0, 0];
  for (;;) {
    looked.clear();
    const step = work.next();
    mostLines = Math.max(mostLines, looked.size);
    mostChars = Math.max(
      mostChars,
      [...looked].reduce((sum, { end }) => sum + end, 0),
    );
    if (step.done === true) return { mostLines, mostChars, object: step.value };
  }
}

const most = 59_000;
const person = (n: number) => `ATTENDEE;CN=Person ${n}:mailto:p${n}@x.example`;

test.each([
  ['attendees', [[...series, ...times(most, person)]]],
  ['excluded dates', [[...series, ...times(most, (n) => `EXDATE:${stamp(n)}`)]]],
  ['extra dates', [[...series, ...times(most, (n) => `RDATE:${stamp(n)}`)]]],
  ['dates of both kinds', [[...series, ...times(most, (n) => `${n % 2 === 0 ? 'EXDATE' : 'RDATE'}:${stamp(n)}`)]]],
  ['categories', [[...series, ...times(most, (n) => `CATEGORIES:c${n}`)]]],
  ['rules', [[...series, ...times(most, (n) => `RRULE:FREQ=DAILY;COUNT=${n + 1}`)]]],
  ['attendees of 1,000 changed instances', [series, ...times(1_000, (n) => changed(n, ...times(380, person)))]],
  ['attendees of 1,000 invitations', times(1_000, (n) => changed(n, ...times(380, person)))],
  ['times of 6,000 changed instances', [series, ...times(6_000, (n) => changed(n))]],
])('an event with too many lines pauses after 10,000 lines at the latest: %s', (_, events) => {
  expect(build(events).mostLines).toBeLessThanOrEqual(10_100);
});

const noZones = () => createZoneLookup(indexTimezones('', []), undefined, () => timesAt(0), []);

const escapes = '^n'.repeat(200_000);
const longLines = (name: string, value: string) => [
  [...series, ...times(9, (n) => `${name};X${n}="${escapes}":${value}`)],
];
test.each([
  ['attendees', longLines('ATTENDEE', 'mailto:a@x.example')],
  ['lines of the owner', longLines('ATTENDEE', 'mailto:me@x.example')],
  ['excluded dates', longLines('EXDATE', '20270302T080000Z')],
  ['extra dates', longLines('RDATE', '20270302T081500Z')],
  ['categories', longLines('CATEGORIES', 'a')],
  ['conferences', longLines('CONFERENCE', 'tel:1')],
])('an event with nine lines of 400,000 characters pauses before each: %s', (_, events) => {
  const { mostChars } = build(events, ['me@x.example']);
  // the length of the next line is asked for before the pause
  expect(mostChars).toBeLessThan(900_000);
});

test('busy periods in nine lines of 400,000 characters are read with a pause before each', () => {
  const lines = times(9, () => `FREEBUSY;X="${escapes}":20270302T080000Z/PT1M`);
  expect([...readBusyPeriods([gatherEvent(component('VFREEBUSY', lines))], noZones)].length).toBeGreaterThanOrEqual(9);
});

test.each([
  ['notes', (n: number) => changed(n, `DESCRIPTION:${'x'.repeat(9_000)}`)],
  ['attendees', (n: number) => changed(n, ...times(200, person))],
  ['categories', (n: number) => changed(n, ...times(50, (one) => `CATEGORIES:${one}${'x'.repeat(190)}`))],
])('1,000 changed instances keep their times and a megabyte of text: %s', (_, instance) => {
  const { object } = build([series, ...times(1_000, instance)]);
  if (object.body.kind !== 'series') return expect.fail(object.body.kind);
  const starts = Object.values(object.body.overrides).map(({ when }) => when.start);
  expect(new Set(starts).size).toBe(1_000);
  expect(JSON.stringify(object.body).length).toBeLessThan(1_300_000);
  expect(object.warnings).toEqual(['changes-without-text']);
});

test('100 changed instances with 50 attendees and notes keep all of it', () => {
  const instances = times(100, (n) => changed(n, 'DESCRIPTION:Agenda', ...times(50, person)));
  const { object } = build([series, ...instances]);
  expect(object.warnings).toEqual([]);
  expect(JSON.stringify(object.body).split('"attendees"')).toHaveLength(101);
});

test('20,000 busy periods in one line are read with a pause after each 1,000', () => {
  const line = `FREEBUSY:${times(20_000, (n) => `${stamp(n)}/PT1M`).join()}`;
  expect([...readBusyPeriods([gatherEvent(component('VFREEBUSY', [line]))], noZones)].length).toBeGreaterThanOrEqual(
    20,
  );
});
