import { expect, test } from 'vitest';
import { formatMoney } from './format-money.ts';

test('amounts are formatted with the decimals of their currency', () => {
  expect(formatMoney(1_200, 'usd', 'en-US')).toBe('$12');
  expect(formatMoney(1_599, 'usd', 'en-US')).toBe('$15.99');
  expect(formatMoney(1_200, 'jpy', 'en-US')).toBe('¥1,200');
  expect(formatMoney(0, 'eur', 'en-US')).toBe('€0');
});
