import { expect, test } from 'vitest';
import { readConsoleSearch } from './console-search.ts';

test('a linked view of the console is read from the address', () => {
  expect(readConsoleSearch({ status: 'failed', search: 'Standup', page: 3 })).toEqual({
    status: 'failed',
    search: 'Standup',
    page: 3,
  });
});

test('what the console does not know is dropped from the address', () => {
  expect(readConsoleSearch({ status: 'banana', search: '', page: -1, other: 'x' })).toEqual({});
  expect(readConsoleSearch({ page: 'abc' })).toEqual({});
  // The router reads ?search=2026 as a number.
  expect(readConsoleSearch({ search: 2026 })).toEqual({ search: '2026' });
});
