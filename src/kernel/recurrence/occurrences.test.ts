import { describe, expect, it } from 'vitest';
import { type Core, type EventBody, eventLimits, type Series, type Single, type When } from '#kernel/event.ts';
import { boundsOf, type Occurrence, occurrencesOf } from '#kernel/recurrence/occurrences.ts';

const core: Core = { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Plan' };
const limits = { instances: eventLimits.instances, steps: eventLimits.steps };
const berlin = 'Europe/Berlin';

function at(text: string): number {
  return Temporal.Instant.from(text).epochMilliseconds;
}

function windowOf(from: string, to: string) {
  return { fromMs: at(from), toMs: at(to) };
}

/** Instances as text: name, start, end, and what tells an override. */
function told(list: Occurrence[]): string[] {
  return list.map(({ recId, startMs, endMs, core: own, when }) => {
    const iso = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'minute' });
    return `${recId} ${iso(startMs)}/${iso(endMs)}${own === core ? '' : ` ${own.title}`}${when ? ' own' : ''}`;
  });
}

function expand(body: EventBody, from: string, to: string, zones: { calendar?: string; owner?: string } = {}) {
  const found = occurrencesOf(body, zones.calendar ?? berlin, zones.owner ?? berlin, windowOf(from, to), limits);
  return { ...found, told: told(found.list) };
}

const nineBerlin: When = { kind: 'zoned', start: '2026-03-23T09:00:00', zone: berlin, duration: { seconds: 3600 } };

function series(change: Partial<Series>): Series {
  const base = {
    kind: 'series' as const,
    when: nineBerlin,
    core,
    rules: ['FREQ=WEEKLY'],
    exRules: [],
    extraDates: [],
    exdates: [],
  };
  return { ...base, overrides: {}, ...change };
}

describe('single events', () => {
  const single = (when: When): Single => ({ kind: 'single', when, core });

  it('an event is in every window it overlaps and has no instance name', () => {
    const event = single(nineBerlin);
    expect(expand(event, '2026-03-23T08:30Z', '2026-03-24T00:00Z').told).toEqual([
      ' 2026-03-23T08:00Z/2026-03-23T09:00Z',
    ]);
    expect(expand(event, '2026-03-23T09:00Z', '2026-03-24T00:00Z').list).toEqual([]);
    expect(expand(event, '2026-03-22T00:00Z', '2026-03-23T08:00Z').list).toEqual([]);
    expect(boundsOf(event, berlin, berlin)).toEqual({
      startMs: at('2026-03-23T08:00Z'),
      endMs: at('2026-03-23T09:00Z'),
    });
  });

  it('an all-day event covers the days of its owner, from UTC+14 to UTC-11', () => {
    const event = single({ kind: 'all-day', start: '2026-05-04', end: '2026-05-06' });
    const days = (owner: string) => expand(event, '2026-05-01T00:00Z', '2026-05-10T00:00Z', { owner }).told;
    expect(days('Pacific/Kiritimati')).toEqual([' 2026-05-03T10:00Z/2026-05-05T10:00Z']);
    expect(days('Pacific/Pago_Pago')).toEqual([' 2026-05-04T11:00Z/2026-05-06T11:00Z']);
  });

  it('an all-day event is an hour longer or shorter over a daylight saving change', () => {
    const length = (start: string, end: string) => {
      const [found] = expand(single({ kind: 'all-day', start, end }), '2026-01-01T00:00Z', '2027-01-01T00:00Z').list;
      return ((found?.endMs ?? 0) - (found?.startMs ?? 0)) / 3_600_000;
    };
    expect(length('2026-03-29', '2026-03-30')).toBe(23);
    expect(length('2026-10-24', '2026-10-26')).toBe(49);
  });

  it('a floating event is read in the zone of its calendar', () => {
    const event = single({ kind: 'floating', start: '2026-05-04T09:00:00', duration: { seconds: 60 } });
    const zones = { calendar: 'America/New_York', owner: 'Asia/Tokyo' };
    expect(expand(event, '2026-05-01T00:00Z', '2026-05-10T00:00Z', zones).told).toEqual([
      ' 2026-05-04T13:00Z/2026-05-04T13:01Z',
    ]);
  });

  it('a duration in days keeps the wall clock, and one in seconds does not', () => {
    const start = '2026-03-28T12:00:00';
    const end = (duration: { days: number } | { seconds: number }) =>
      expand(single({ kind: 'zoned', start, zone: berlin, duration }), '2026-03-01T00:00Z', '2026-04-30T00:00Z').told;
    expect(end({ days: 1 })).toEqual([' 2026-03-28T11:00Z/2026-03-29T10:00Z']);
    expect(end({ seconds: 86_400 })).toEqual([' 2026-03-28T11:00Z/2026-03-29T11:00Z']);
  });

  it.each([{ seconds: 0 }, { seconds: -3600 }, { days: 0 }, { days: -2 }, { seconds: Number.NaN }])(
    'an event of length %j ends at its start and is in the window of its start',
    (duration) => {
      const event = single({ kind: 'zoned', start: '2026-03-23T09:00:00', zone: berlin, duration });
      expect(expand(event, '2026-03-23T08:00Z', '2026-03-23T09:00Z').told).toEqual([
        ' 2026-03-23T08:00Z/2026-03-23T08:00Z',
      ]);
      expect(expand(event, '2026-03-23T07:00Z', '2026-03-23T08:00Z').list).toEqual([]);
    },
  );

  it('an all-day event that ends before it starts has no length', () => {
    const event = single({ kind: 'all-day', start: '2026-05-04', end: '2026-05-01' });
    expect(expand(event, '2026-05-01T00:00Z', '2026-05-10T00:00Z').told).toEqual([
      ' 2026-05-03T22:00Z/2026-05-03T22:00Z',
    ]);
  });

  it('an event of ten thousand years is expanded within its window', () => {
    const event = single({ kind: 'zoned', start: '2026-03-23T09:00:00', zone: berlin, duration: { days: 3_652_500 } });
    expect(expand(event, '2500-01-01T00:00Z', '2500-01-02T00:00Z').list).toHaveLength(1);
    expect(boundsOf(event, berlin, berlin)?.endMs).toBeGreaterThan(at('9000-01-01T00:00Z'));
  });

  it('an event with an unreadable time or zone is reported as a problem', () => {
    const bad = expand(
      single({ kind: 'zoned', start: '2026-02-30T09:00:00', zone: berlin, duration: { seconds: 60 } }),
      '2026-01-01T00:00Z',
      '2027-01-01T00:00Z',
    );
    expect(bad).toMatchObject({ list: [], problems: [expect.stringContaining('2026-02-30')] });
    const lost = expand(
      single({ ...nineBerlin, zone: 'Mars/Base' } as When),
      '2026-03-01T00:00Z',
      '2026-04-01T00:00Z',
      { calendar: 'Asia/Tokyo' },
    );
    expect(lost.told).toEqual([' 2026-03-23T00:00Z/2026-03-23T01:00Z']);
    expect(lost.problems).toEqual([expect.stringContaining('Mars/Base')]);
  });
});

describe('series', () => {
  it('a series keeps its wall clock time over a daylight saving change', () => {
    expect(expand(series({}), '2026-03-20T00:00Z', '2026-04-10T00:00Z').told).toEqual([
      '20260323T080000Z 2026-03-23T08:00Z/2026-03-23T09:00Z',
      '20260330T070000Z 2026-03-30T07:00Z/2026-03-30T08:00Z',
      '20260406T070000Z 2026-04-06T07:00Z/2026-04-06T08:00Z',
    ]);
  });

  it('a series leaves out excluded and overridden instances, and puts each override at its own time', () => {
    const moved: When = {
      kind: 'zoned',
      start: '2026-04-02T18:00:00',
      zone: 'America/New_York',
      duration: { seconds: 60 },
    };
    const body = series({
      exdates: ['20260406T070000Z'],
      overrides: { '20260330T070000Z': { when: moved, core: { ...core, title: 'Moved' } } },
    });
    expect(expand(body, '2026-03-20T00:00Z', '2026-04-20T00:00Z').told).toEqual([
      '20260323T080000Z 2026-03-23T08:00Z/2026-03-23T09:00Z',
      '20260330T070000Z 2026-04-02T22:00Z/2026-04-02T22:01Z Moved own',
      '20260413T070000Z 2026-04-13T07:00Z/2026-04-13T08:00Z',
    ]);
  });

  it('an override is in the window that it was moved into, and not in its original one', () => {
    const later: When = { ...nineBerlin, start: '2026-06-01T09:00:00' };
    const body = series({ overrides: { '20260330T070000Z': { when: later, core } } });
    expect(expand(body, '2026-03-30T00:00Z', '2026-03-31T00:00Z').list).toEqual([]);
    expect(expand(body, '2026-06-01T00:00Z', '2026-06-02T00:00Z').told).toEqual([
      '20260330T070000Z 2026-06-01T07:00Z/2026-06-01T08:00Z own',
      '20260601T070000Z 2026-06-01T07:00Z/2026-06-01T08:00Z',
    ]);
  });

  it('an override of an instance outside the rule is kept', () => {
    const body = series({
      rules: ['FREQ=WEEKLY;COUNT=1'],
      overrides: { '20260501T070000Z': { when: { ...nineBerlin, start: '2026-05-01T09:00:00' }, core } },
    });
    expect(expand(body, '2026-05-01T00:00Z', '2026-05-02T00:00Z').told).toEqual([
      '20260501T070000Z 2026-05-01T07:00Z/2026-05-01T08:00Z own',
    ]);
    expect(boundsOf(body, berlin, berlin)).toEqual({
      startMs: at('2026-03-23T08:00Z'),
      endMs: at('2026-05-01T08:00Z'),
    });
  });

  it('a series includes its extra dates with their own lengths', () => {
    const body = series({
      rules: [],
      extraDates: [
        { start: '2026-03-25T10:00:00' },
        { start: '2026-03-24T10:00:00', duration: { seconds: 4 * 86_400 } },
      ],
    });
    expect(expand(body, '2026-03-27T00:00Z', '2026-03-28T00:00Z').told).toEqual([
      '20260324T090000Z 2026-03-24T09:00Z/2026-03-28T09:00Z',
    ]);
    expect(expand(body, '2026-03-01T00:00Z', '2026-04-01T00:00Z').told).toEqual([
      '20260323T080000Z 2026-03-23T08:00Z/2026-03-23T09:00Z',
      '20260324T090000Z 2026-03-24T09:00Z/2026-03-28T09:00Z',
      '20260325T090000Z 2026-03-25T09:00Z/2026-03-25T10:00Z',
    ]);
  });

  it('a long instance that began before the window is included', () => {
    const body = series({ when: { ...nineBerlin, duration: { days: 10 } } });
    expect(expand(body, '2026-04-01T00:00Z', '2026-04-01T01:00Z').told).toEqual([
      '20260323T080000Z 2026-03-23T08:00Z/2026-04-02T07:00Z',
      '20260330T070000Z 2026-03-30T07:00Z/2026-04-09T07:00Z',
    ]);
  });

  it('an all-day series names instances by date and covers the days of its owner', () => {
    const body = series({
      when: { kind: 'all-day', start: '2026-05-04', end: '2026-05-05' },
      rules: ['FREQ=DAILY;COUNT=5'],
      exdates: ['20260506'],
      overrides: { '20260507': { when: { kind: 'all-day', start: '2026-05-20', end: '2026-05-21' }, core } },
    });
    expect(expand(body, '2026-05-01T00:00Z', '2026-05-15T00:00Z', { owner: 'Pacific/Kiritimati' }).told).toEqual([
      '20260504 2026-05-03T10:00Z/2026-05-04T10:00Z',
      '20260505 2026-05-04T10:00Z/2026-05-05T10:00Z',
      '20260508 2026-05-07T10:00Z/2026-05-08T10:00Z',
    ]);
  });

  it('a floating series names instances by wall clock time', () => {
    const body = series({
      when: { kind: 'floating', start: '2026-05-04T09:00:00', duration: { seconds: 60 } },
      exdates: ['20260511T090000'],
    });
    expect(expand(body, '2026-05-01T00:00Z', '2026-05-20T00:00Z', { calendar: 'Asia/Tokyo' }).told).toEqual([
      '20260504T090000 2026-05-04T00:00Z/2026-05-04T00:01Z',
      '20260518T090000 2026-05-18T00:00Z/2026-05-18T00:01Z',
    ]);
  });

  it('a repeated hour gives one instance, and a skipped time moves an hour later', () => {
    const body = series({ when: { ...nineBerlin, start: '2026-03-28T02:30:00' }, rules: ['FREQ=DAILY'] });
    expect(expand(body, '2026-03-29T00:00Z', '2026-03-30T00:00Z').told).toEqual([
      '20260329T013000Z 2026-03-29T01:30Z/2026-03-29T02:30Z',
    ]);
    expect(expand(body, '2026-10-25T00:00Z', '2026-10-25T12:00Z').told).toEqual([
      '20261025T003000Z 2026-10-25T00:30Z/2026-10-25T01:30Z',
    ]);
  });

  it('an hourly series follows the wall clock and has no instant twice', () => {
    const body = series({
      when: { ...nineBerlin, start: '2026-03-29T00:30:00', duration: { seconds: 0 } },
      rules: ['FREQ=HOURLY'],
    });
    const starts = (from: string, to: string) => expand(body, from, to).list.map(({ startMs }) => startMs);
    // 00:30, 01:30, (02:30 is) 03:30, 04:30 of the day with 23 hours.
    expect(starts('2026-03-28T23:00Z', '2026-03-29T03:00Z')).toEqual([
      at('2026-03-28T23:30Z'),
      at('2026-03-29T00:30Z'),
      at('2026-03-29T01:30Z'),
      at('2026-03-29T02:30Z'),
    ]);
    // The hour from 02:00 comes twice in October; its instance only the first time.
    expect(starts('2026-10-24T23:00Z', '2026-10-25T03:00Z')).toEqual([
      at('2026-10-24T23:30Z'),
      at('2026-10-25T00:30Z'),
      at('2026-10-25T02:30Z'),
    ]);
  });

  it('a series with an invalid rule is a single event with a warning', () => {
    const found = expand(series({ rules: ['FREQ=DAILY;INTERVAL=0'] }), '2026-03-01T00:00Z', '2026-05-01T00:00Z');
    expect(found.told).toEqual(['20260323T080000Z 2026-03-23T08:00Z/2026-03-23T09:00Z']);
    expect(found.problems).toEqual(['INTERVAL=0 is no number from 1 to 2147483647.']);
  });

  it('a series by the second is too dense and stays within its limit', () => {
    const found = expand(series({ rules: ['FREQ=SECONDLY'] }), '2026-03-23T00:00Z', '2027-03-23T00:00Z');
    expect(found.tooDense).toBe(true);
    expect(found.list).toHaveLength(eventLimits.instances);
  });

  it('a series has bounds: none for an endless one, and the last instance for COUNT and UNTIL', () => {
    expect(boundsOf(series({}), berlin, berlin)).toEqual({ startMs: at('2026-03-23T08:00Z'), endMs: null });
    expect(boundsOf(series({ rules: ['FREQ=WEEKLY;COUNT=2'] }), berlin, berlin)?.endMs).toBe(at('2026-03-30T08:00Z'));
    expect(boundsOf(series({ rules: ['FREQ=YEARLY;UNTIL=20300101T000000Z'] }), berlin, berlin)?.endMs).toBe(
      at('2029-03-23T09:00Z'),
    );
  });
});

describe('other bodies', () => {
  it('an expanded body gives the instances of its provider', () => {
    const body: EventBody = {
      kind: 'instances',
      of: 'master',
      from: 0,
      to: 1,
      list: {
        '20260330T070000Z': { when: { ...nineBerlin, start: '2026-03-30T09:00:00' }, core },
        '20260323T080000Z': { when: nineBerlin, core },
        '20270323T080000Z': { when: { ...nineBerlin, start: '2027-03-23T09:00:00' }, core },
      },
    };
    expect(expand(body, '2026-03-01T00:00Z', '2026-05-01T00:00Z').told).toEqual([
      '20260323T080000Z 2026-03-23T08:00Z/2026-03-23T09:00Z own',
      '20260330T070000Z 2026-03-30T07:00Z/2026-03-30T08:00Z own',
    ]);
    expect(boundsOf(body, berlin, berlin)).toEqual({
      startMs: at('2026-03-23T08:00Z'),
      endMs: at('2027-03-23T09:00Z'),
    });
  });

  it('a withheld body gives no instances', () => {
    const body: EventBody = { kind: 'withheld', reason: 'broken' };
    expect(expand(body, '2026-03-01T00:00Z', '2026-05-01T00:00Z').list).toEqual([]);
    expect(boundsOf(body, berlin, berlin)).toBeNull();
  });
});
