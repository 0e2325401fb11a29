import { expect, test } from 'vitest';
import { readConsoleSearch, tabOf } from './console-search.ts';

const calendar = '01a1ffc3-ce58-79c0-a49c-24945cde9afb';

test('the meetings view is read from the URL', () => {
  const search = {
    tab: 'past',
    page: 3,
    sort: 'title',
    order: 'desc',
    health: 'failed',
    provider: 'google',
    calendar,
    attendee: 'a@x.org',
    from: '2027-03-01',
    to: '2027-03-31',
    search: 'Standup',
  };
  expect(readConsoleSearch(search)).toEqual(search);
});

test('unknown meetings parameters in the URL are dropped', () => {
  expect(
    readConsoleSearch({ status: 'banana', search: '', page: -1, other: 'x', calendar: 'x', from: 'soon' }),
  ).toEqual({});
  expect(readConsoleSearch({ page: 'abc', tab: 'none', sort: 'color', order: 'up' })).toEqual({});
  // The router reads ?search=2026 as a number.
  expect(readConsoleSearch({ search: 2026 })).toEqual({ search: '2026' });
});

test('the meetings page opens on upcoming, or on mirrors when a mirror status is given', () => {
  expect(tabOf({})).toBe('upcoming');
  expect(tabOf({ status: 'failed' })).toBe('mirrors');
  expect(tabOf({ status: 'failed', tab: 'past' })).toBe('past');
});
