import { pattern } from './time-patterns.ts';
import {
  type Half,
  type Patterns,
  setAhead,
  setDay,
  setFromNow,
  setMinutes,
  setRange,
  setTime,
  setWeekday,
} from './wish-parts.ts';

/** How times are said in Japanese, where words stand side by side without spaces. */

const weekdays = '月火水木金土日';
const weekday = `([${weekdays}])曜日?`;
/** Optional weekday beside a date, which adds nothing. */
const besideDate = `(?:\\s?[(][${weekdays}](?:曜日?)?[)]|\\s?[${weekdays}]曜日?)?`;
const number = '(?<!\\d)(\\d{1,2})';
const time = `(午前|午後|朝|夜)?\\s?${number}(?::(\\d{2})|時(?!間)(?:(\\d{1,2})分|(半))?)`;
const sign = (source: string) => new RegExp(source, 'u');
const halfOf = (word: string | undefined): Half =>
  word === '午後' || word === '夜' ? 'pm' : word === undefined ? undefined : 'am';
const minuteOf = (minute?: string, short?: string, half?: string) => minute ?? short ?? (half && '30');
/** `午後15時` says it twice. */
const sure = (half: string | undefined, hour = '') => (Number(hour) > 12 ? undefined : halfOf(half));

export const japanesePatterns: Patterns = [
  [
    sign('(?<!\\d)(\\d{1,4})(?:(分)|時間)後に?'),
    (wish, [, n, minutes]) => setFromNow(wish, Number(n) * (minutes === undefined ? 60 : 1)),
  ],
  [
    sign('(?<!\\d)(\\d{1,3})(?:(日)|(週間)|[かヶカ]月)後に?'),
    (wish, [, n, days, weeks]) =>
      setAhead(wish, { [days !== undefined ? 'days' : weeks !== undefined ? 'weeks' : 'months']: Number(n) }),
  ],
  [sign(`(?:(\\d{4})年)?${number}月(\\d{1,2})日${besideDate}`), (wish, [, y, m, d]) => setDay(wish, y, m, d)],
  [pattern('(\\d{4})-(\\d{1,2})-(\\d{1,2})'), (wish, [, y, m, d]) => setDay(wish, y, m, d)],
  [sign('(?<!\\d)(\\d{4})/(\\d{1,2})/(\\d{1,2})'), (wish, [, y, m, d]) => setDay(wish, y, m, d)],
  // written in no other order
  [sign(`${number}/(\\d{1,2})(?!\\d)${besideDate}`), (wish, [, m, d]) => setDay(wish, undefined, m, d)],
  [
    sign('(明後日|あさって)|(明日|あした|あす)|(今夜|今晩)|今日|本日'),
    (wish, [, dayAfter, tomorrow, tonight]) => {
      if (!setAhead(wish, { days: dayAfter !== undefined ? 2 : tomorrow !== undefined ? 1 : 0 })) return false;
      if (tonight !== undefined) wish.time ??= { hour: 20, minute: 0 };
      return true;
    },
  ],
  // in the week that begins on Monday
  [
    sign(`来週の?${weekday}`),
    (wish, [, name = '']) => setAhead(wish, { days: 8 - wish.today.dayOfWeek + weekdays.indexOf(name) }),
  ],
  [sign('来週'), (wish) => setAhead(wish, { weeks: 1 })],
  [sign('来月'), (wish) => setAhead(wish, { months: 1 })],
  [
    sign(`(?:今週の?|(次の))?${weekday}`),
    (wish, [, next, name = '']) => setWeekday(wish, weekdays.indexOf(name), next !== undefined),
  ],
  [
    sign(`${time}\\s?(?:から|[-–~〜])\\s?${time}(?:まで)?`),
    (wish, [, half1, h1, m1, short1, past1, half2, h2, m2, short2, past2]) =>
      setRange(
        wish,
        [h1, minuteOf(m1, short1, past1), sure(half1, h1)],
        [h2, minuteOf(m2, short2, past2), sure(half2, h2)],
      ),
  ],
  [
    sign(`${time}(?:に|から)?`),
    (wish, [, half, h, m, short, past]) => setTime(wish, h, minuteOf(m, short, past), sure(half, h)),
  ],
  [
    sign(`${number}時間(?:(\\d{1,2})分|(半))?`),
    (wish, [, n, m, half]) => setMinutes(wish, Number(n) * 60 + Number(m ?? (half === undefined ? 0 : 30))),
  ],
  [
    pattern('(\\d{1,2})(?::(\\d{2}))?\\s*([ap])m'),
    (wish, [, h, m, half]) => setTime(wish, h, m, half === 'p' ? 'pm' : 'am'),
  ],
  [pattern('(\\d{1,3})\\s*m(?:in)?'), (wish, [, n]) => setMinutes(wish, Number(n))],
  [pattern('(\\d{1,2}(?:\\.\\d)?)\\s*h'), (wish, [, n]) => setMinutes(wish, Math.round(Number(n) * 60))],
  [sign('(?<!\\d)(\\d{1,3})分間?'), (wish, [, n]) => setMinutes(wish, Number(n))],
  [sign('正午'), (wish) => setTime(wish, '12', '0', undefined)],
];
