import { expect, test } from 'vitest';
import { noHolds } from '#features/availability/rules/hold-rules.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import type { CalendarId, ItemId } from '#kernel/ids.ts';
import { occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import { ownSideOf } from './audience.ts';
import { eventView, shownOf } from './event-view.ts';

const face = {
  provider: 'caldav',
  badge: 'CalDAV',
  writable: true,
  connected: true,
  openUrl: () => null,
};

/** The first instance of a weekly event in the zone that these lines define. */
function viewOf(definition: string[]) {
  const lines = ['BEGIN:VCALENDAR', 'BEGIN:VTIMEZONE', 'TZID:Our Clock', ...definition, 'END:VTIMEZONE'];
  lines.push('BEGIN:VEVENT', 'UID:u', 'DTSTART;TZID=Our Clock:20270601T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY');
  lines.push('END:VEVENT', 'END:VCALENDAR', '');
  const { body, warnings } = parseObject(lines.join('\r\n'), { selfAddresses: [], tags: { verify: () => false } });
  const window = { fromMs: Date.UTC(2027, 5, 1), toMs: Date.UTC(2027, 5, 3) };
  const { list } = occurrencesOf(body, 'UTC', 'UTC', window, { instances: 10, steps: 100 });
  const item = {
    itemId: 'i' as ItemId,
    calendarId: 'c' as CalendarId,
    ref: 'r',
    provenance: 'foreign' as const,
    hash: 'h',
    problem: warnings.join('\n') || null,
    body,
  };
  const [first] = list;
  if (first === undefined) throw new Error('no instance');
  return eventView(shownOf(item, first, noHolds), face, { ownerZone: 'UTC', own: ownSideOf([]) });
}

const fixed = (offset: string) => [
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  `TZOFFSETFROM:${offset}`,
  `TZOFFSETTO:${offset}`,
  'END:STANDARD',
];

test('an event that brings its own zone is at its time, with no name of a zone and no warning', () => {
  const view = viewOf(fixed('-0330'));
  expect(view).toMatchObject({ start_time: '2027-06-01T12:30:00.000Z', zone: null });
  expect(view).not.toHaveProperty('zone_warning');
});

test('a zone that cannot be read puts a warning on the event', () => {
  expect(viewOf([])).toMatchObject({ zone_warning: { name: 'Our Clock', used: null } });
});
