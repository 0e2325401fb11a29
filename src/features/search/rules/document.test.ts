import { expect, test } from 'vitest';
import type { Attendee, Core, EventBody } from '#kernel/event.ts';
import { documentOf } from './document.ts';

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

test('title, place and people stand in lines of their own, without case and accents', () => {
  const body = single(core('Café mit Zoë', 'Raum Ä', [{ email: 'Zoe@Example.org', name: 'Zoë Ångström' }]));
  expect(documentOf(body, own)).toEqual({
    text: ' cafe mit zoe\n raum a\n zoe angstrom zoe example org',
    people: [{ email: 'zoe@example.org', name: 'Zoë Ångström' }],
  });
});

test('own addresses and rooms are nobody met', () => {
  const attendees = [{ email: 'ME@example.org' }, { email: 'c_1@resource.calendar.google.com', name: 'Room 1' }];
  expect(documentOf(single(core('Focus', undefined, attendees)), own).people).toEqual([]);
});

test('a series is found by what its changed instances say, each line once', () => {
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

test('what cannot be read has no words', () => {
  expect(documentOf({ kind: 'withheld', reason: 'broken' }, own)).toEqual({ text: '', people: [] });
});
