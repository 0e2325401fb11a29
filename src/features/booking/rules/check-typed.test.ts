import { expect, test } from 'vitest';
import { checkTyped, readGuests } from './check-typed.ts';
import { languageOf, writeBooking } from './write-booking.ts';

const asked = { location: { kind: 'link' as const }, questions: [], guestsAllowed: 3, recurring: null };
const time = { start: 1, duration: 30, zone: 'UTC', language: 'en', hold: null };

test.each([
  ['anna@example.org', 'anna@example.org'],
  ['  anna@example.org ', 'anna@example.org'],
  ['"Anna" <anna@example.org>', 'anna@example.org'],
  ['Anna Lee <anna@example.org>', 'anna@example.org'],
  ['<anna@example.org>', 'anna@example.org'],
  ['"Lee, Anna" < anna@example.org > ', 'anna@example.org'],
])('the address that is pasted as %s is %s', (email, address) => {
  const typed = { name: 'Anna', email };
  expect(checkTyped(asked, typed)).toEqual({});
  expect(writeBooking(asked, typed, time).email).toBe(address);
});

test.each(['＋８１　９０－１２３４－５６７８', '+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '+۹۸ ۹۱۲ ۳۴۵ ۶۷۸۹', '+81 90−1234−5678'])(
  'the number %s of another keyboard is one',
  (phone) => {
    const called = { ...asked, location: { kind: 'phone' as const, who_calls: 'host' as const } };
    const typed = { name: 'Taro', email: 'ｔａｒｏ＠ｅｘａｍｐｌｅ．ｊｐ', phone };
    expect(checkTyped(called, typed)).toEqual({});
  },
);

test.each(['Anna', '"Anna" <anna>', 'anna@example.org <>', '<anna@example.org> Lee'])(
  'the typed address %s is refused',
  (email) => {
    expect(checkTyped(asked, { name: 'Anna', email })).toEqual({ email: { key: 'wrong.email' } });
  },
);

test('guests are read with and without their names, in one line or in several', () => {
  expect(readGuests('a@x.org b@x.org,c@x.org')).toEqual(['a@x.org', 'b@x.org', 'c@x.org']);
  expect(readGuests('"Lee, Anna" <a@x.org>, Bo Li <b@x.org>;\nc@x.org\n')).toEqual(['a@x.org', 'b@x.org', 'c@x.org']);
  expect(checkTyped(asked, { name: 'A', email: 'a@x.org', guests: '"Bo" <bo@x.org>, Cy' })).toEqual({
    guests: { key: 'wrong.guests', values: { one: 'Cy' } },
  });
});

test('the own address and one that is typed twice are no further guests', () => {
  const guests = 'gwen@x.org, GWEN@x.org; bo@x.org bo@X.org, cy@x.org, di@x.org';
  expect(checkTyped(asked, { name: 'Gwen', email: 'Gwen <gwen@x.org>', guests })).toEqual({});
  expect(checkTyped(asked, { name: 'Gwen', email: 'gwen@x.org', guests: `${guests}, ed@x.org` })).toEqual({
    guests: { key: 'wrong.too-many-guests', values: { n: 3 } },
  });
});

test.each([
  ['07911 123456', { phone: { key: 'wrong.phone-country' } }],
  ['+44 7911 123456', {}],
  ['0044 7911 123456', {}],
  ['call me', { phone: { key: 'wrong.phone' } }],
])('the number %s that a host will call has a country code or is refused', (phone, complaints) => {
  const called = { ...asked, location: { kind: 'phone' as const, who_calls: 'host' as const } };
  expect(checkTyped(called, { name: 'A', email: 'a@x.org', phone })).toEqual(complaints);
});

test.each([
  ['en', 'en-GB', 'en-GB'],
  ['de', 'de-AT', 'de-AT'],
  ['es', 'es-419', 'es'],
  ['en', 'en', 'en'],
])('a booking in %s by a reader of %s is written to as %s', (language, locale, kept) => {
  expect(languageOf(language, { locale })).toBe(kept);
});

test('all wrong guests are named, a phrase as a whole, and only addresses are counted', () => {
  const complaint = (guests: string) => checkTyped(asked, { name: 'A', email: 'a@x.org', guests }).guests;
  const phrase = { key: 'wrong.guests', values: { one: 'not an address' } };
  expect(complaint('bo@x.org, not an address, cy@x.org')).toEqual(phrase);
  expect(complaint('not an address')).toEqual(phrase);
  expect(complaint('bo@x, not an address, cy@x.org')).toEqual({
    key: 'wrong.guests',
    values: { one: 'bo@x, not an address' },
  });
  expect(complaint('bo@x.org cy@x.org')).toBeUndefined();
  expect(complaint('b@x.org, c@x.org, d@x.org, e@x.org')).toEqual({ key: 'wrong.too-many-guests', values: { n: 3 } });
});
