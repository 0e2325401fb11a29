import { expect, it } from 'vitest';
import { readPhone } from './consents.ts';

it.each([
  ['+49 151 12345678', undefined, '+4915112345678'],
  ['+1 (415) 555-2671', undefined, '+14155552671'],
  ['0151 12345678', 'DE', '+4915112345678'],
  ['00 44 7400 123456', 'DE', '+447400123456'],
  ['415-555-2671', 'US', '+14155552671'],
])('the phone number %s with default country %s is read as %s', async (text, country, number) => {
  expect(await readPhone(text, country)).toBe(number);
});

it.each([
  ['', undefined],
  ['0151 12345678', undefined],
  ['0151 12345678', 'XX'],
  ['+999 12345678', undefined],
  ['+1 415', undefined],
  ['call me: +1 415 555 2671', undefined],
  ['+1 415 555 2671 ext. 12', undefined],
  ['+49 900 1234567', undefined],
  ['+1 900 555 0199', undefined],
  [`+${'4'.repeat(50)}`, undefined],
])('an invalid or premium phone number is rejected: %s with default country %s', async (text, country) => {
  expect(await readPhone(text, country)).toBeNull();
});
