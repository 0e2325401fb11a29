import { expect, test } from 'vitest';
import { addToCalendar } from './add-to-calendar.ts';

const startMs = 29_999_940 * 60_000;
const meeting = { title: 'Q & A + more: Anna Lee', notes: '', place: '', startMs, endMs: startMs + 1_800_000 };
const fieldOf = (link: string, name: string) => new URL(link).searchParams.get(name);

test('the links of calendar services carry texts that each of them reads alike', () => {
  const notes =
    'Join: https://meet.example.org/a?b=1&c=2\n\nReschedule or cancel: https://cal.example.org/booked/token';
  const { google, outlook } = addToCalendar({ ...meeting, notes, place: 'Main Street 1, 2nd floor' });
  // Outlook takes a plus sign for itself, Google for a space: neither may stand there
  for (const link of [google, outlook]) expect(link).not.toContain('+');
  expect([fieldOf(google, 'text'), fieldOf(outlook, 'subject')]).toEqual([meeting.title, meeting.title]);
  expect([fieldOf(google, 'details'), fieldOf(outlook, 'body')]).toEqual([notes, notes]);
  for (const link of [google, outlook]) expect(fieldOf(link, 'location')).toBe('Main Street 1, 2nd floor');
});

test('a place that is too long for the links of calendar services is left out before the notes are', () => {
  const { google } = addToCalendar({ ...meeting, notes: 'Change: https://cal.example.org', place: 'x'.repeat(1_950) });
  expect([fieldOf(google, 'details'), fieldOf(google, 'location')]).toEqual(['Change: https://cal.example.org', null]);
});

test('the links of calendar services stay short enough for a mail, whatever the title and the place', () => {
  const wide = '漢'.repeat(120);
  const place = `https://meet.example.org/${'a'.repeat(1_950)}`;
  const { google, outlook } = addToCalendar({ ...meeting, title: `${wide}: ${wide}${wide}`, notes: place, place });
  for (const link of [google, outlook]) expect(link.length).toBeLessThanOrEqual(2_000);
});
