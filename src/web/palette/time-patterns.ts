import type { TimeWords } from './time-words.ts';
import {
  type Half,
  likelyHalf,
  type Patterns,
  setAhead,
  setDay,
  setFromNow,
  setMinutes,
  setRange,
  setTime,
  setWeekday,
} from './wish-parts.ts';

/** Words of their own: not in the middle of one, of a number or of an address. */
export function pattern(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}.:@/-])(?:${source})(?![\\p{L}\\p{N}@]|[.:/-]\\p{L}|[.:/-]\\p{N})`, 'iu');
}

/** How times are said in a language that puts spaces between its words. */
export function patternsOf(words: TimeWords): Patterns {
  const { hours, minutes, clock } = words;
  const [months, weekdays] = [words.months, words.weekdays].map(readNames);
  const halves = `${words.am}|${words.pm}`;
  const isPm = new RegExp(`^(?:${words.pm})$`, 'iu');
  const isHalf = new RegExp(`^(?:${halves})$`, 'iu');
  const halfOf = (word = ''): Half => (isPm.test(word) ? 'pm' : isHalf.test(word) ? 'am' : undefined);
  // a weekday beside a date says nothing more
  const on = `(?:(?:${words.on}) )?(?:(?:${words.weekdays.join('|')}),? (?:(?:${words.on}) )?)?`;
  const at = `(?:(?:${words.at}) |@ ?)`;
  const lasting = `(?:(?:${words.lasting}) )?`;
  const month = `(${words.months.join('|')})`;
  const year = `(?:(?:,|${words.of})? (\\d{4}))?`;
  // `13 Uhr 45 Min` is an hour and a length
  const minute = `(\\d{2})(?!\\d|\\s?(?:${minutes})(?!\\p{L}))`;
  const time = `(\\d{1,2})(?:(?::|\\s?(?:${clock})\\s?)${minute})?\\s*(${clock}|${halves})?`;
  // with no more than a figure before it, a small one is a length
  const hour = words.clockIsLength
    ? `(?:${at}(\\d{1,2})|(?<!(?:${words.lasting}) )([6-9]|1\\d|2[0-3]))`
    : `${at}?(\\d{1,2})()`;
  return [
    [
      pattern(`(?:${words.ahead}) (\\d{1,4})\\s*(?:(${minutes})|(?:${hours}))`),
      (wish, [, n, inMinutes]) => setFromNow(wish, Number(n) * (inMinutes === undefined ? 60 : 1)),
    ],
    [
      pattern(`(?:${words.ahead}) (\\d{1,3}) (?:(${words.days})|(${words.weeks})|(?:${words.monthsAhead}))`),
      (wish, [, n, days, weeks]) =>
        setAhead(wish, { [days !== undefined ? 'days' : weeks !== undefined ? 'weeks' : 'months']: Number(n) }),
    ],
    [pattern(`${on}(\\d{4})-(\\d{1,2})-(\\d{1,2})`), (wish, [, y, m, d]) => setDay(wish, y, m, d)],
    [
      pattern(`${on}(\\d{1,2})(?:${words.ordinal})?(?:${words.of})? ?${month}${year}`),
      (wish, [, d, m, y]) => setDay(wish, y, placeIn(months, m), d),
    ],
    ...(words.monthBeforeDay
      ? ([
          [
            pattern(
              `${on}${month} (\\d{1,2})(?:${words.ordinal})?(?:,? (\\d{4}))?(?!\\s*(?:[:ap]|${hours}|${minutes})\\b)`,
            ),
            (wish, [, m, d, y]) => setDay(wish, y, placeIn(months, m), d),
          ],
        ] satisfies Patterns)
      : []),
    [pattern(`${on}(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})?`), (wish, [, d, m, y]) => setDay(wish, y, m, d)],
    [
      pattern(`${on}(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}))?`),
      (wish, [, one, two, y]) => (wish.monthFirst ? setDay(wish, y, one, two) : setDay(wish, y, two, one)),
    ],
    [
      pattern(`(${words.dayAfter})|(${words.tomorrow})|(${words.tonight})|(?:${words.today})`),
      (wish, [, dayAfter, tomorrow, tonight]) => {
        if (!setAhead(wish, { days: dayAfter !== undefined ? 2 : tomorrow !== undefined ? 1 : 0 })) return false;
        if (tonight !== undefined) wish.time ??= { hour: 20, minute: 0 };
        return true;
      },
    ],
    [pattern(words.nextWeek), (wish) => setAhead(wish, { weeks: 1 })],
    [pattern(words.nextMonth), (wish) => setAhead(wish, { months: 1 })],
    [
      pattern(`(?:(?:${words.on}) |(${words.next}) )?(${words.weekdays.join('|')})(?: (${words.nextAfter}))?`),
      (wish, [, next, name, nextAfter]) =>
        setWeekday(wish, placeIn(weekdays, name) - 1, (next ?? nextAfter) !== undefined),
    ],
    [
      pattern(`(?:(${words.from}) |(@) ?)?${time}(?:\\s*[-–]\\s*|\\s+(?:${words.to})\\s+)${time}`),
      (wish, [, from, sign, h1, m1, word1, h2, m2, word2]) =>
        (from ?? sign ?? m1 ?? word1 ?? word2) !== undefined &&
        setRange(wish, [h1, m1, halfOf(word1)], [h2, m2, halfOf(word2)]),
    ],
    ...readHalfTo(words, at),
    [
      pattern(`${at}?(\\d{1,2})(?::(\\d{2}))?(?:\\s?(?:${clock}))?\\s*(${halves})`),
      (wish, [, h, m, word]) => setTime(wish, h, m, halfOf(word)),
    ],
    [
      pattern(`${hour}(?::(\\d{2}))?\\s?(?:${clock})(?:\\s?${minute})?`),
      (wish, [, told, plain, m1, m2]) => setTime(wish, told ?? plain, m1 ?? m2, undefined),
    ],
    [
      pattern(`${lasting}(\\d{1,2}(?:[.,]\\d)?)\\s*(?:${hours})\\s*(?:(\\d{1,2})\\s*(?:${minutes})?)?`),
      (wish, [, count = '', more]) =>
        setMinutes(wish, Math.round(Number(count.replace(',', '.')) * 60) + Number(more ?? 0)),
    ],
    [pattern(`${lasting}(\\d{1,3})\\s*(?:${minutes})`), (wish, [, n]) => setMinutes(wish, Number(n))],
    [
      pattern(`${lasting}(?:(${words.halfHour})|(?:${words.oneHour}))`),
      (wish, [, half]) => setMinutes(wish, half === undefined ? 60 : 30),
    ],
    [pattern(`${at}?(\\d{1,2}):(\\d{2})`), (wish, [, h, m]) => setTime(wish, h, m, undefined)],
    [pattern(`${at}(\\d{1,2})`), (wish, [, h]) => setTime(wish, h, undefined, likelyHalf(Number(h)))],
    [
      pattern(`(?:(?:${words.at}) )?(?:(${words.midnight})|(?:${words.noon}))`),
      (wish, [, midnight]) => setTime(wish, midnight === undefined ? '12' : '0', '0', undefined),
    ],
  ];
}

/** `halb vier` is half past three. */
function readHalfTo({ halfTo }: TimeWords, at: string): Patterns {
  if (halfTo === undefined) return [];
  const names = readNames(halfTo.names);
  return [
    [
      pattern(`${at}?(?:${halfTo.before}) (\\d{1,2}|${halfTo.names.join('|')})`),
      (wish, [, name = '']) => {
        const hour = (/\d/.test(name) ? Number(name) : placeIn(names, name)) - 1;
        return hour >= 0 && setTime(wish, String(hour || 12), '30', likelyHalf(hour));
      },
    ],
  ];
}

/** Each alone; a figure behind it is a sign to some of them. */
const readNames = (pieces: readonly string[]) => pieces.map((one) => new RegExp(`^(?:${one})(?!\\p{L})`, 'iu'));
/** From one on; nought where it is none of them. */
const placeIn = (names: readonly RegExp[] = [], name = '') => names.findIndex((one) => one.test(`${name} 1`)) + 1;
