import { describe, expect, it } from 'vitest';
import { readCalendarSearch } from './calendar-search.ts';

describe('readCalendarSearch', () => {
  it('keeps what fits', () => {
    const search = { view: 'day', day: '2027-03-08', zone: 'Asia/Tokyo', mirrors: 'hide', q: 'lunch' };
    expect(readCalendarSearch(search)).toEqual(search);
  });

  it('drops what does not, so that a broken link still opens the calendar', () => {
    const search = { view: 'banana', day: '2027-02-30', zone: 'Mars/Base', mirrors: 'yes', q: '', other: 1 };
    expect(readCalendarSearch(search)).toEqual({});
    expect(readCalendarSearch({ day: '1899-01-01' })).toEqual({});
  });
});
