import { expect, test } from 'vitest';
import type { Attendee, Core, EventBody } from '#kernel/event.ts';
import { documentOf, personText, readWanted } from './rules.ts';

const core = (title: string, location?: string, attendees?: Attendee[]): Core => ({
  busy: 'busy',
  private: false,
  self: 'none',
  kind: 'default',
  title,
  ...(location === undefined ? {} : { location }),
  ...(attendees === undefined ? {} : { attendees }),
});
const when = { kind: 'zoned', start: '2027-03-08T09:00:00', zone: 'UTC', duration: { seconds: 3600 } } as const;
const single = (one: Core): EventBody => ({ kind: 'single', when, core: one });
const own = new Set(['me@example.org']);

test('a search document holds title, place and people on separate lines without case and accents', () => {
  const body = single(core('Café mit Zoë', 'Raum Ä', [{ email: 'Zoe@Example.org', name: 'Zoë Ångström' }]));
  expect(documentOf(body, own)).toEqual({
    text: ' cafe mit zoe\n raum a\n zoe angstrom zoe example org',
    people: [{ email: 'zoe@example.org', name: 'Zoë Ångström' }],
  });
});

test('own addresses and rooms are not searchable people', () => {
  const attendees = [{ email: 'ME@example.org' }, { email: 'c_1@resource.calendar.google.com', name: 'Room 1' }];
  expect(documentOf(single(core('Focus', undefined, attendees)), own).people).toEqual([]);
});

test('a search document of a series includes changed instances, each line once', () => {
  const series: EventBody = {
    kind: 'series',
    when,
    core: core('Standup', 'Zoom'),
    rules: ['FREQ=DAILY'],
    exRules: [],
    extraDates: [],
    exdates: [],
    overrides: { '20270309T090000Z': { when, core: core('Retro', 'Zoom') } },
  };
  expect(documentOf(series, own).text).toBe(' standup\n retro\n zoom');
});

test('an unreadable event has an empty search document', () => {
  expect(documentOf({ kind: 'withheld', reason: 'broken' }, own)).toEqual({ text: '', people: [] });
});

test('a search and the text of a person are bounded once they are folded', () => {
  // U+FDFA becomes eighteen characters, U+337F four without a space
  expect(readWanted('㍿'.repeat(200))).toEqual({ whole: '株式会社'.repeat(50), words: ['株式会社'.repeat(50)] });
  expect(readWanted('Zoë Ångström')?.words).toEqual(['zoe', 'angstrom']);
  expect(personText({ name: 'ﷺ'.repeat(200), email: 'zoe@example.org' }).length).toBeLessThanOrEqual(501);
  expect(personText({ name: 'Zoë', email: 'zoe@example.org' })).toBe(' zoe zoe example org');
});
