import { describe, expect, it } from 'vitest';
import { readCalendarSearch } from './calendar-search.ts';

describe('readCalendarSearch', () => {
  it('valid search parameters are kept', () => {
    const search = {
      view: 'day',
      day: '2027-03-08',
      zone: 'Asia/Tokyo',
      zone2: 'UTC',
      mirrors: 'off',
      q: 'lunch',
      filter: 'clients',
      event: '018f_20270308T080000Z',
      new: '2027-03-08T09:00',
    };
    expect(readCalendarSearch(search)).toEqual(search);
  });

  it('invalid search parameters are dropped, so that a broken link still opens the calendar', () => {
    const search = {
      view: 'banana',
      day: '2027-02-30',
      zone: 'Mars/Base',
      mirrors: 'yes',
      q: '',
      other: 1,
      new: 'soon',
      filter: 'x',
    };
    expect(readCalendarSearch(search)).toEqual({});
    expect(readCalendarSearch({ day: '1899-01-01' })).toEqual({});
    expect(readCalendarSearch({ new: 1 })).toEqual({ new: '1' });
  });

  it('content shared from another app opens Create Event', () => {
    const shared = { title: 'Talk', notes: 'Join us', link: 'https://meet.example.org/x' };
    expect(readCalendarSearch(shared)).toEqual({ new: '1', ...shared });
    expect(readCalendarSearch({ title: 'alone' })).toEqual({});
  });
});
