import { describe, expect, it } from 'vitest';
import { formatRule } from '#kernel/recurrence/format-rule.ts';
import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import type { Rule } from '#kernel/recurrence/rule.ts';

function read(text: string): Rule {
  const parsed = parseRule(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.rule;
}

describe('RRULE parser', () => {
  it('an RRULE is read with every part', () => {
    const text =
      'RSCALE=GREGORIAN;FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,12;BYWEEKNO=-1,53;BYYEARDAY=-366,1;' +
      'BYMONTHDAY=-31,31;BYDAY=-1SU,MO,53FR;BYHOUR=0,23;BYMINUTE=0,59;BYSECOND=0,60;BYSETPOS=-366,1;WKST=SU;SKIP=FORWARD';
    expect(read(text)).toEqual({
      freq: 'YEARLY',
      interval: 2,
      count: 10,
      until: null,
      weekStart: 6,
      bySecond: [0, 60],
      byMinute: [0, 59],
      byHour: [0, 23],
      byDay: [
        { weekday: 0, nth: 0 },
        { weekday: 4, nth: 0 },
        { weekday: 6, nth: 0 },
      ],
      byMonthDay: [-31, 31],
      byYearDay: [-366, 1],
      byWeekNo: [-1, 53],
      byMonth: [1, 12],
      bySetPos: [-366, 1],
      skip: 'FORWARD',
    });
    expect(formatRule(read(text))).toBe(text.replace('-1SU,MO,53FR', 'MO,FR,SU'));
  });

  it('UNTIL is read in its three forms', () => {
    expect(read('FREQ=DAILY;UNTIL=20240103').until).toEqual({ form: 'date', ms: Date.UTC(2024, 0, 3) });
    expect(read('FREQ=DAILY;UNTIL=20240103T090000').until).toEqual({ form: 'local', ms: Date.UTC(2024, 0, 3, 9) });
    expect(read('FREQ=DAILY;UNTIL=20240103T090000Z').until).toEqual({ form: 'utc', ms: Date.UTC(2024, 0, 3, 9) });
    expect(read('FREQ=DAILY;UNTIL=20161231T235960Z').until).toEqual({ form: 'utc', ms: Date.UTC(2017, 0, 1) });
  });

  it.each([
    ['RRULE:FREQ=DAILY', 'FREQ=DAILY'],
    ['FREQ=DAILY;FREQ=WEEKLY', 'FREQ=DAILY'],
    ['FREQ=DAILY;COUNT=2;COUNT=3', 'FREQ=DAILY;COUNT=2'],
    ['FREQ=DAILY;COUNT=2;UNTIL=20240101', 'FREQ=DAILY;COUNT=2;UNTIL=20240101'],
    ['FREQ=DAILY;;INTERVAL=2', 'FREQ=DAILY;INTERVAL=2'],
    ['FREQ=DAILY;COUNT=0;UNTIL=20240101', 'FREQ=DAILY;UNTIL=20240101'],
    ['FREQ=DAILY;UNTIL=20240101;COUNT=-200', 'FREQ=DAILY;UNTIL=20240101'],
    ['FREQ=DAILY;WKST=XX', 'FREQ=DAILY'],
    ['FREQ=DAILY;WKST=1MO', 'FREQ=DAILY'],
    ['FREQ=DAILY;UNTIL=20270907T120000+0000', 'FREQ=DAILY;UNTIL=20270907T120000Z'],
    ['FREQ=DAILY;UNTIL=2027-09-07T12:00', 'FREQ=DAILY;UNTIL=20270907T120000'],
    ['FREQ=DAILY;BYHOUR=', 'FREQ=DAILY'],
    ['FREQ=MONTHLY;BYDAY=0TU', 'FREQ=MONTHLY;BYDAY=TU'],
    ['FREQ=WEEKLY;BYDAY=MO,', 'FREQ=WEEKLY;BYDAY=MO'],
    ['FREQ=WEEKLY;UNTIL=2026-07-21', 'FREQ=WEEKLY;UNTIL=20260721'],
    ['  freq=weekly ; byday=mo , tu ', 'FREQ=WEEKLY;BYDAY=MO,TU'],
    ['FREQ=WEEKLY;BYDAY=+1MO;', 'FREQ=WEEKLY;BYDAY=1MO'],
    ['INTERVAL=01;FREQ=DAILY', 'FREQ=DAILY'],
    ['FREQ=WEEKLY\\;COUNT=2\\n', 'FREQ=WEEKLY;COUNT=2'],
    ['RRULE:RRULE:FREQ=DAILY', 'FREQ=DAILY'],
    // vCalendar 1.0, the examples of its specification
    ['D2 #0', 'FREQ=DAILY;INTERVAL=2'],
    ['D1', 'FREQ=DAILY;COUNT=2'],
    ['W2 MO WE FR 19941224T000000Z', 'FREQ=WEEKLY;INTERVAL=2;UNTIL=19941224T000000Z;BYDAY=MO,WE,FR'],
    ['MP2 1+ SU 1- SU #10', 'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=-1SU,1SU'],
    ['MP6 2+ MO TU WE TH FR #10', 'FREQ=MONTHLY;INTERVAL=6;COUNT=10;BYDAY=2MO,2TU,2WE,2TH,2FR'],
    ['MD1 3- #0', 'FREQ=MONTHLY;BYMONTHDAY=-3'],
    ['MD1 1 LD #11', 'FREQ=MONTHLY;COUNT=11;BYMONTHDAY=-1,1'],
    ['YM1 6 7 #10', 'FREQ=YEARLY;COUNT=10;BYMONTH=6,7'],
    ['YD3 1 100 200 #10', 'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200'],
    ['FREQ=DAILY;X-APPLE-THING=1', 'FREQ=DAILY'],
    ['FREQ=MONTHLY;BYMONTHDAY=+31,-01', 'FREQ=MONTHLY;BYMONTHDAY=-1,31'],
    ['RSCALE=gregorian;FREQ=MONTHLY;SKIP=omit', 'RSCALE=GREGORIAN;FREQ=MONTHLY'],
  ])('the RRULE %j is read as %s', (text, canonical) => {
    expect(formatRule(read(text))).toBe(canonical);
  });

  it.each([
    ['', /empty/],
    ['   ', /empty/],
    ['COUNT=3', /FREQ is missing/],
    ['YEARLY;BYMONTH=11', /no rule part/],
    ['FREQ=FORTNIGHTLY', /no frequency/],
    ['FREQ', /FREQ is missing/],
    ['FREQ=', /FREQ is missing/],
    ['FREQU=DAILY', /no rule part/],
    ['FREQ=YEARLY;BYEASTER=0', /no rule part/],
    ['FREQ=DAILY;INTERVAL=0', /INTERVAL/],
    ['MP3 6- FR #17', /no rule part/],
    ['MP1 MO #2', /no rule part/],
    ['W1 XX', /no rule part/],
    ['FREQ=DAILY;INTERVAL=-1', /INTERVAL/],
    ['FREQ=DAILY;INTERVAL=1.5', /INTERVAL/],
    ['FREQ=DAILY;INTERVAL=99999999999', /INTERVAL/],
    ['FREQ=DAILY;INTERVAL=2147483648', /INTERVAL/],
    ['FREQ=DAILY;INTERVAL=NaN', /INTERVAL/],
    ['FREQ=DAILY;INTERVAL=1e3', /INTERVAL/],
    ['FREQ=DAILY;COUNT=abc', /COUNT/],
    ['FREQ=DAILY;UNTIL=2024', /UNTIL/],
    ['FREQ=DAILY;UNTIL=20240230', /UNTIL/],
    ['FREQ=DAILY;UNTIL=20240101T250000Z', /UNTIL/],
    ['FREQ=MONTHLY;UNTIL=20120924T215959ZZ', /UNTIL/],
    ['FREQ=WEEKLY;INTERVAL=2;WKST=XX', /WKST/],
    ['FREQ=YEARLY;BYWEEKNO=1;WKST=1MO', /WKST/],
    ['FREQ=DAILY;COUNT=0', /COUNT/],
    ['FREQ=DAILY;COUNT=-200', /COUNT/],
    ['FREQ=MINUTELY;BYSECOND=61', /BYSECOND/],
    ['FREQ=HOURLY;BYMINUTE=60', /BYMINUTE/],
    ['FREQ=DAILY;BYHOUR=24', /BYHOUR/],
    ['FREQ=DAILY;BYHOUR=25', /BYHOUR/],
    ['FREQ=DAILY;BYHOUR=-1', /BYHOUR/],
    ['FREQ=DAILY;BYHOUR=1,,2', /BYHOUR/],
    ['FREQ=MONTHLY;BYDAY=54MO', /BYDAY/],
    ['FREQ=MONTHLY;BYDAY=-54MO', /BYDAY/],
    ['FREQ=MONTHLY;BYDAY=2', /BYDAY/],
    ['FREQ=MONTHLY;BYDAY=1UZ', /BYDAY/],
    ['FREQ=WEEKLY;BYDAY=MO=', /BYDAY/],
    ['FREQ=MONTHLY;BYMONTHDAY=0', /BYMONTHDAY/],
    ['FREQ=MONTHLY;BYMONTHDAY=32', /BYMONTHDAY/],
    ['FREQ=YEARLY;BYYEARDAY=367', /BYYEARDAY/],
    ['FREQ=YEARLY;BYYEARDAY=-367', /BYYEARDAY/],
    ['FREQ=YEARLY;BYWEEKNO=54', /BYWEEKNO/],
    ['FREQ=YEARLY;BYWEEKNO=0', /BYWEEKNO/],
    ['FREQ=YEARLY;BYMONTH=13', /BYMONTH/],
    ['FREQ=YEARLY;BYMONTH=0', /BYMONTH/],
    ['FREQ=YEARLY;BYMONTH=-1', /BYMONTH/],
    ['FREQ=YEARLY;BYMONTH=5L', /BYMONTH/],
    ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0', /BYSETPOS/],
    ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367', /BYSETPOS/],
    ['FREQ=MONTHLY;SKIP=FORWARD', /SKIP needs RSCALE/],
    ['RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=SIDEWAYS', /SKIP/],
    ['RSCALE=CHINESE;FREQ=YEARLY', /RSCALE=CHINESE/],
    [`FREQ=DAILY;BYHOUR=${'1,'.repeat(6_000)}1`, /longer than/],
  ])('the RRULE %j is refused with a reason', (text, reason) => {
    const parsed = parseRule(text);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.reason).toMatch(reason);
  });

  it('a refused RRULE is quoted only in part', () => {
    const parsed = parseRule(`FREQ=${'A'.repeat(5_000)}`);
    expect(parsed).toMatchObject({ ok: false });
    if (!parsed.ok) expect(parsed.reason.length).toBeLessThan(100);
  });
});
