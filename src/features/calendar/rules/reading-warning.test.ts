import { expect, test } from 'vitest';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { readingWarning, unresolvedZone } from './reading-warning.ts';

/** Warnings of the iCalendar reader about an event with these lines. */
function warningsOf(...lines: string[]): string[] {
  const text = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:u', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
  const { body, warnings } = parseObject(text, { selfAddresses: [], tags: { verify: () => false } });
  return body.kind === 'withheld' ? [body.reason, ...warnings] : warnings;
}
const start = 'DTSTART:20270308T080000Z';
const end = 'DTEND:20270308T090000Z';

test.each([
  ['an unreadable start', 'start', ['DTSTART:at noon']],
  ['no start', 'start', [end]],
  ['an unreadable end', 'end', [start, 'DTEND:later']],
  ['an end before the start', 'end', [start, 'DTEND:20270308T070000Z']],
  ['an unreadable length', 'end', [start, 'DURATION:long']],
  ['an unknown zone', 'zone', ['DTSTART;TZID=Mars/Olympus:20270308T080000', 'DTEND;TZID=Mars/Olympus:20270308T090000']],
  ['an unreadable rule', 'rule', [start, end, 'RRULE:FREQ=NEVER']],
  ['an unreadable rule of exception', 'rule', [start, end, 'RRULE:FREQ=DAILY', 'EXRULE:FREQ=NEVER']],
  ['an unreadable excluded date', 'dates', [start, end, 'RRULE:FREQ=DAILY', 'EXDATE:never']],
  [
    'an unreadable override',
    'dates',
    [start, end, 'RRULE:FREQ=DAILY', 'END:VEVENT', 'BEGIN:VEVENT', 'UID:u', 'RECURRENCE-ID:x', start],
  ],
  ['a long title', 'text', [start, end, `SUMMARY:${'x'.repeat(2_000)}`]],
  ['a missing END line', 'damage', [start, end, 'BEGIN:VALARM']],
  ['a line that is no property', 'damage', [start, end, 'nothing like a property']],
  ['two UIDs', 'identity', [start, end, 'END:VEVENT', 'BEGIN:VEVENT', 'UID:other', start, end]],
] as const)('%s is told as a warning of kind %s', (_, kind, lines) => {
  expect(warningsOf(...lines).map((text) => readingWarning(text).kind)).toContain(kind);
});

test.each([
  ['300 guests were left out', 'people'],
  ['the end is no time and was left out', 'end'],
  ['a changed instance was left out: the start is no time', 'dates'],
  ['3 instances were left out: their time cannot be read', 'dates'],
  ['its time cannot be read', 'start'],
  ['the time zone "Mars/Olympus" is unknown', 'start'],
  ['its rule cannot be read', 'rule'],
  ['too dense', 'density'],
  ['2 different events shared their UID with others', 'identity'],
  ['Outlook tells it in a form that is not understood', 'form'],
])('the warning "%s" of another adapter is of kind %s', (text, kind) => {
  expect(readingWarning(text)).toEqual({ kind, zone: null, detail: text });
});

const zone = (tzid: string) => warningsOf(`DTSTART;TZID=${tzid}:20270308T080000`, `DTEND;TZID=${tzid}:20270308T090000`);

test('a zone that cannot be resolved is named with what its time is read as', () => {
  expect(unresolvedZone(zone('Mars/Olympus'))).toEqual({ name: 'Mars/Olympus', used: null });
  expect(unresolvedZone(['time zone "Own" was taken for the fixed Etc/GMT-2'])).toEqual({ name: 'Own', used: 'UTC+2' });
  expect(unresolvedZone(['time zone "Own" was taken for the fixed Etc/GMT+5'])).toEqual({ name: 'Own', used: 'UTC−5' });
  expect(unresolvedZone(['time zone "Own" was taken for the fixed Asia/Kolkata'])).toEqual({
    name: 'Own',
    used: 'UTC+5:30',
  });
});

test('a zone that was found, and an instant given with its offset, put no warning on the event', () => {
  const texts = [
    'time zone "Own" was taken for Europe/Berlin',
    'time zone "GMT" has other offsets in the file than UTC has: UTC was used',
    'time zone "Mars/Olympus" is unknown: read as UTC',
  ];
  expect(unresolvedZone(texts)).toBeNull();
  expect(texts.map((text) => readingWarning(text).zone?.used)).toEqual(['Europe/Berlin', 'UTC', 'UTC']);
});
