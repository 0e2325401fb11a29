import { expect, test } from 'vitest';
import { addToCalendar } from './add-to-calendar.ts';
import type { Booked } from './booking-endpoints.ts';

test('the links of calendar services carry texts that each of them reads alike', () => {
  const booked = {
    title: 'Q & A + more',
    host: 'Anna Lee',
    start: 29_999_940,
    duration: 30,
    join_url: null,
    location: { kind: 'in-person', address: 'Main Street 1, 2nd floor' },
  } as Booked;
  const { google, outlook } = addToCalendar(booked);
  for (const link of [google, outlook]) {
    // Outlook takes a plus sign for itself, Google for a space: neither may stand there
    expect(link).not.toContain('+');
    const read = (text: string) => decodeURIComponent(new RegExp(`[?&]${text}=([^&]*)`).exec(link)?.[1] ?? '');
    expect(read(link === google ? 'text' : 'subject')).toBe('Q & A + more · Anna Lee');
    expect(read('location')).toBe('Main Street 1, 2nd floor');
  }
});

test('the links of calendar services have the number to call and the way to join', () => {
  const meeting = { title: 'Intro', host: 'Anna', start: 29_999_940, duration: 30, join_url: null, location: null };
  const called = { kind: 'phone', who_calls: 'guest', number: '+49 30 5550123' } as const;
  const { google } = addToCalendar({ ...meeting, location: called });
  expect(new URL(google).searchParams.get('location')).toBe('+49 30 5550123');
  const joined = addToCalendar({ ...meeting, join_url: 'https://meet.example.org/a?b=1&c=2' });
  expect(new URL(joined.google).searchParams.get('details')).toBe('https://meet.example.org/a?b=1&c=2');
  expect(new URL(joined.outlook).searchParams.get('body')).toBe('https://meet.example.org/a?b=1&c=2');
});

test('the links of calendar services stay short enough for a mail, whatever the title and the place', () => {
  const wide = '漢'.repeat(120);
  const { google, outlook } = addToCalendar({
    title: wide,
    host: wide.repeat(2),
    start: 29_999_940,
    duration: 30,
    join_url: `https://meet.example.org/${'a'.repeat(1_950)}`,
    location: null,
  });
  for (const link of [google, outlook]) expect(link.length).toBeLessThanOrEqual(2_000);
});
