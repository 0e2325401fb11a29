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
