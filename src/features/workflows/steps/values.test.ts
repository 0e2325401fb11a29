import { expect, test } from 'vitest';
import { plainQuoting, valuesOf, valuesOfOther } from './values.ts';

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

test('words of a booking, its name too, reach its guest once its own mail has confirmed it, its host always, and brought guests never', () => {
  const name = 'Tom won.example/prize';
  const saysTo = (role: 'guest' | 'host' | 'other', { hasConfirmed }: { hasConfirmed: boolean }) => {
    const address = role === 'guest' ? 'tom@example.net' : 'bea@example.net';
    const to = { role, address, zone: 'UTC', locale: 'en', isProved: role !== 'other' };
    const booking = {
      id: 'b',
      state: 'confirmed',
      title: 'Intro',
      startMs: 0,
      endMs: 60_000,
      location: { kind: 'phone', who_calls: 'host', number: '' },
      joinUrl: null,
      guest: { name, email: 'tom@example.net', phone: '+19005550100', isProved: true, hasConfirmed },
      answers: [{ label: 'Topic', answer: 'Call this answer' }],
      reason: 'Call this reason',
      isReasonOfGuest: true,
      last: null,
      url: null,
      bookUrl: null,
      linkUrl: null,
    };
    const setting = { host, publicUrl: 'https://a.example', quoting: plainQuoting };
    const { answers, reason, location, guest_phone, guest_name, guest_first_name } = valuesOf(
      booking as never,
      to as never,
      setting,
    );
    return { answers, reason, location, guest_phone, guest_name, guest_first_name };
  };
  const none = { answers: '', reason: '', location: '', guest_phone: '' };
  const address = { guest_name: 'tom@example.net', guest_first_name: 'tom@example.net' };
  const all = {
    answers: 'Topic: Call this answer',
    reason: 'Call this reason',
    location: '+19005550100',
    guest_phone: '+19005550100',
    guest_name: name,
    guest_first_name: 'Tom',
  };
  // a name is a word of its writer too, and the reader may be somebody else
  expect(saysTo('guest', { hasConfirmed: false })).toEqual({ ...none, ...address });
  expect(saysTo('other', { hasConfirmed: true })).toEqual({ ...none, guest_name: 'Tom', guest_first_name: 'Tom' });
  expect(saysTo('guest', { hasConfirmed: true })).toEqual(all);
  expect(saysTo('host', { hasConfirmed: false })).toEqual(all);
});
