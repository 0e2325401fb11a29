import { expect, test } from 'vitest';
import { plainSigns, telLink } from './check-answers.ts';

test.each([
  ['+81 (0)90-1234 5678', 'tel:+819012345678'],
  ['+44(0)20 7946 0958', 'tel:+442079460958'],
  ['0044 (0) 20 7946 0958', 'tel:00442079460958'],
  // the zero of an Italian number is dialed from abroad
  ['+39 (0)6 1234 5678', 'tel:+390612345678'],
  ['(030) 901820', 'tel:030901820'],
  ['(0)30 901820', 'tel:030901820'],
  ['+1 (212) 555-0100', 'tel:+12125550100'],
  ['+49 (30) 9010', 'tel:+49309010'],
])('%s is dialed as %s', (phone, link) => {
  expect(telLink(phone)).toBe(link);
});

test.each([
  ['＋８１　９０－１２３４－５６７８', '+81 90-1234-5678'],
  ['٠٥٠ ١٢٣ ٤٥٦٧', '050 123 4567'],
  ['۰۹۱۲−۳۴۵', '0912-345'],
])('the signs of %s are %s', (text, plain) => {
  expect(plainSigns(text)).toBe(plain);
});
