import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import editor from '../../web/locales/en/editor.json' with { type: 'json' };
import japanese from '../../web/locales/ja/editor.json' with { type: 'json' };
import { type RuleReader, ruleWords } from './rule-words.ts';

beforeAll(async () => {
  await i18next.init({
    lng: 'en',
    resources: { en: { translation: { editor } }, ja: { translation: { editor: japanese } } },
    interpolation: { escapeValue: false },
  });
});

const words = (rule: string, more: Partial<RuleReader> = {}) =>
  ruleWords(rule, { t: i18next.t, locale: 'en-US', zone: 'Europe/Berlin', ...more });

describe('ruleWords', () => {
  it.each([
    ['FREQ=DAILY', 'Every day'],
    ['FREQ=DAILY;INTERVAL=3;COUNT=10', 'Every 3 days 10 times'],
    ['FREQ=DAILY;COUNT=1', 'Every day 1 time'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday (Monday to Friday)'],
    ['FREQ=DAILY;BYDAY=FR,MO,TU,WE,TH', 'Every weekday (Monday to Friday)'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'Every day'],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20270303T225959Z',
      'Every 2 weeks on Monday and Thursday until March 3, 2027',
    ],
    ['FREQ=MONTHLY;BYMONTHDAY=20', 'Every month on the 20th'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,2,3,22', 'Every month on the 1st, the 2nd, the 3rd, and the 22nd'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'Every month on the last day of the month'],
    ['FREQ=MONTHLY;BYMONTHDAY=-3', 'Every month on the 3rd day from the end of the month'],
    ['FREQ=MONTHLY;BYDAY=3FR', 'Every month on the third Friday'],
    ['FREQ=MONTHLY;BYDAY=-1FR', 'Every month on the last Friday'],
    ['FREQ=MONTHLY;BYDAY=-2SU', 'Every month on the second to last Sunday'],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', 'Every month on the 13th if it is Friday'],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      'Every month on Monday, Tuesday, Wednesday, Thursday, and Friday (only the last of these)',
    ],
    ['FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=20', 'Every year on November 20'],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', 'Every year in November on the fourth Thursday'],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', 'Every year in week 20 of the year on Monday'],
    ['FREQ=YEARLY;BYYEARDAY=100', 'Every year on the 100th day of the year'],
    ['FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29', 'Every 4 years on February 29'],
    ['FREQ=DAILY;BYHOUR=9,17', 'Every day at 9:00 AM and 5:00 PM'],
    ['FREQ=HOURLY;INTERVAL=2', 'Every 2 hours'],
    ['FREQ=HOURLY;BYHOUR=9,10', 'Every hour in hour 9 and 10'],
    ['FREQ=MINUTELY;INTERVAL=15', 'Every 15 minutes'],
  ])('the rule %s reads "%s"', (rule, expected) => {
    expect(words(rule)).toBe(expected);
  });

  it('the day that a rule leaves out is taken from the start of its event', () => {
    const start = '2026-11-20T09:00';
    expect(words('FREQ=WEEKLY', { start })).toBe('Every week on Friday');
    expect(words('FREQ=MONTHLY', { start })).toBe('Every month on the 20th');
    expect(words('FREQ=YEARLY', { start })).toBe('Every year on November 20');
  });

  it('the end date of a rule is read in the zone of its event, and unchanged for all-day events', () => {
    const rule = 'FREQ=DAILY;UNTIL=20270304T045959Z';
    expect(words(rule, { zone: 'America/New_York' })).toBe('Every day until March 3, 2027');
    expect(words(rule, { zone: 'Asia/Tokyo' })).toBe('Every day until March 4, 2027');
    expect(words('FREQ=DAILY;UNTIL=20270304', { zone: null })).toBe('Every day until March 4, 2027');
  });

  it.each([
    ['FREQ=DAILY', '毎日'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;COUNT=5', '2週間ごと 月曜日、木曜日 5回'],
    ['FREQ=MONTHLY;BYDAY=3FR', '毎月 第3金曜日'],
    ['FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20270303T225959Z', '毎月 最終金曜日 2027年3月3日まで'],
    ['FREQ=MONTHLY;BYMONTHDAY=20', '毎月 20日'],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', '毎年 11月 第4木曜日'],
  ])('the rule %s reads in Japanese as %s', (rule, expected) => {
    expect(words(rule, { locale: 'ja-JP', t: i18next.getFixedT('ja') })).toBe(expected);
  });

  it('a rule that cannot be read is quoted', () => {
    expect(words('FREQ=SOMETIMES')).toContain('FREQ=SOMETIMES');
  });

  it('the locale decides the names and the order of days and months', () => {
    expect(words('FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20270303T225959Z', { locale: 'de-DE' })).toBe(
      'Every week on Montag und Donnerstag until 3. März 2027',
    );
  });
});
