import { expect, test } from 'vitest';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { warning } from '#kernel/ical/reading-warning.ts';
import { readingWarning, unresolvedZone } from './reading-warning.ts';

/** Warnings of the iCalendar reader about an event with these lines. */
function warningsOf(...lines: string[]): string[] {
  const text = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:u', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
  const { body, warnings } = parseObject(text, { selfAddresses: [], tags: { verify: () => false } });
  return body.kind === 'withheld' ? [body.reason, ...warnings] : warnings;
}
const start = 'DTSTART:20270308T080000Z';
const end = 'DTEND:20270308T090000Z';
const daily = 'RRULE:FREQ=DAILY';
const another = ['END:VEVENT', 'BEGIN:VEVENT', 'UID:u'];

test.each([
  ['an unreadable start', { code: 'start-unreadable', values: { source: 'at noon' } }, ['DTSTART:at noon']],
  ['no start', { code: 'start-missing', values: {} }, [end]],
  ['an unreadable end', { code: 'end-unreadable', values: { source: 'later' } }, [start, 'DTEND:later']],
  ['an end before the start', { code: 'end-before-start', values: {} }, [start, 'DTEND:20270308T070000Z']],
  ['an unreadable length', { code: 'length-unreadable', values: { source: 'long' } }, [start, 'DURATION:long']],
  [
    'an unknown zone',
    { code: 'zone-unknown', values: { zone: 'Mars/Olympus' } },
    ['DTSTART;TZID=Mars/Olympus:20270308T080000', 'DTEND;TZID=Mars/Olympus:20270308T090000'],
  ],
  [
    'an unreadable rule',
    { code: 'rule-unreadable', values: { source: 'RRULE:FREQ=NEVER;X="a\\{}"' } },
    [start, end, 'RRULE:FREQ=NEVER;X="a\\{}"'],
  ],
  [
    'an unreadable rule of exception',
    { code: 'rule-skipped', values: { source: 'EXRULE:FREQ=NEVER' } },
    [start, end, daily, 'EXRULE:FREQ=NEVER'],
  ],
  [
    'an unreadable excluded date',
    { code: 'dates-unreadable', values: { property: 'EXDATE', number: 1 } },
    [start, end, daily, 'EXDATE:never'],
  ],
  [
    'an unnamed override',
    { code: 'change-unnamed', values: {} },
    [start, end, daily, ...another, 'RECURRENCE-ID:x', start],
  ],
  [
    'a long title',
    { code: 'text-cut', values: { property: 'SUMMARY', most: 1_000 } },
    [start, end, `SUMMARY:${'x'.repeat(2_000)}`],
  ],
  ['a missing END line', { code: 'component-unclosed', values: { component: 'VALARM' } }, [start, end, 'BEGIN:VALARM']],
  [
    'a line that is no property',
    { code: 'lines-skipped', values: { number: 1 } },
    [start, end, 'nothing like a property'],
  ],
  [
    'two UIDs',
    { code: 'several-uids', values: {} },
    [start, end, 'END:VEVENT', 'BEGIN:VEVENT', 'UID:other', start, end],
  ],
])('%s is told by its code and its values', (_, expected, lines) => {
  expect(warningsOf(...lines).map(readingWarning)).toContainEqual(expected);
});

test.each([
  ['a text of an older version', 'DTEND is before DTSTART: taken as one hour'],
  ['a code of a newer version', 'some-later-code {"number":3}'],
])('%s is shown as it is', (_, text) => {
  expect(readingWarning(text)).toEqual({ code: 'other', values: { source: text } });
});

test('values that a code does not have are left out, and those that are missing are empty', () => {
  expect(readingWarning('zone-unknown {"used":"x"}')).toEqual({ code: 'zone-unknown', values: { zone: '' } });
  expect(readingWarning('zone-unknown {"zone":}')).toEqual({ code: 'zone-unknown', values: { zone: '' } });
  expect(readingWarning('too dense')).toEqual({ code: 'too-dense', values: {} });
});

const zone = (tzid: string) => warningsOf(`DTSTART;TZID=${tzid}:20270308T080000`, `DTEND;TZID=${tzid}:20270308T090000`);

test('a zone that cannot be resolved is named with what its time is read as', () => {
  expect(unresolvedZone(zone('Mars/Olympus'))).toEqual({ name: 'Mars/Olympus', used: null });
  const fixed = (used: string) => unresolvedZone([warning('zone-taken-for-offset', { zone: 'Own', used })])?.used;
  expect([fixed('Etc/GMT-2'), fixed('Etc/GMT+5'), fixed('Asia/Kolkata')]).toEqual(['UTC+2', 'UTC−5', 'UTC+5:30']);
});

test('a zone that was found, and an instant given with its offset, put no warning on the event', () => {
  const texts = [
    warning('zone-taken-for', { zone: 'Own', used: 'Europe/Berlin' }),
    warning('zone-contradicts', { zone: 'GMT', used: 'UTC' }),
    warning('zone-as-utc', { zone: 'Mars/Olympus' }),
  ];
  expect(unresolvedZone(texts)).toBeNull();
});
