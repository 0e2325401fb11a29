import { expect, test } from 'vitest';
import { plainQuoting, valuesOfOther } from './values.ts';

const host = {
  userId: 'h',
  name: 'Anna',
  email: 'anna@example.org',
  shownEmail: null,
  phone: null,
  zone: 'UTC',
  locale: 'en',
  timeFormat: '24h' as const,
};

test.each([
  ['en', 'News: Yes\nCalls: No'],
  ['de', 'News: Ja\nCalls: Nein'],
  ['fr', 'News: Oui\nCalls: Non'],
  ['es', 'News: Sí\nCalls: No'],
  ['ja', 'News: はい\nCalls: いいえ'],
])('yes and no of a routing form are in the language of the reader: %s', (locale, said) => {
  const answers = [
    { label: 'News', answer: true },
    { label: 'Calls', answer: false },
  ];
  const matter = { kind: 'form' as const, form: 'Contact us', answers, guest: null };
  const to = { role: 'host' as const, address: host.email, zone: 'UTC', locale, isProved: true } as never;
  expect(valuesOfOther(matter, to, { host, publicUrl: 'https://a.example', quoting: plainQuoting }).form_answers).toBe(
    said,
  );
});

test.each(['', '12 × '])(
  'the problem of a calendar is in the language of the reader, after its count: "%s"',
  (count) => {
    const problem = `${count}The calendar didn't respond. We'll try again.`;
    const matter = { kind: 'calendar' as const, account: 'anna@example.org', problem };
    const to = { role: 'host' as const, address: host.email, zone: 'UTC', locale: 'de', isProved: true } as never;
    expect(valuesOfOther(matter, to, { host, publicUrl: 'https://a.example', quoting: plainQuoting }).problem).toBe(
      `${count}Der Kalender hat nicht geantwortet. Wir versuchen es noch einmal.`,
    );
  },
);
