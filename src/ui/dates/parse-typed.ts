import { formatFigures, formatter } from '../format.ts';

/** The choices of a person that decide how a typed date or time reads. */
export interface TypedStyle {
  locale: string;
  timeFormat: '12h' | '24h';
  /** `DD.MM.YYYY` and the like. */
  dateFormat: string;
  /** `YYYY-MM-DD`: a date without a year is the one nearest to this day. */
  today: string;
}

const two = (figure: number) => String(figure).padStart(2, '0');
const plain = (text: string) => text.normalize('NFKC').replaceAll('’', "'").trim().toLowerCase();

/** `YYYY-MM-DD` in the format of the person; nothing for nothing. */
export function showDate(date: string, { dateFormat }: Pick<TypedStyle, 'dateFormat'>): string {
  if (date === '') return '';
  const atMs = Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds;
  return formatFigures(atMs, { zone: 'UTC', dateFormat });
}

/** `HH:MM` on the clock of the person: `9:30 PM`, `21:30`. */
export function showTime(time: string, { locale, timeFormat }: Pick<TypedStyle, 'locale' | 'timeFormat'>): string {
  if (time === '' || timeFormat === '24h') return time;
  const { hour, minute } = Temporal.PlainTime.from(time);
  return clock(locale).format((hour * 60 + minute) * 60_000);
}

/** `YYYY-MM-DDTHH:MM` as its date and its time. */
export function showMoment(moment: string, style: Omit<TypedStyle, 'today'>): string {
  if (moment === '') return '';
  return `${showDate(moment.slice(0, 10), style)}, ${showTime(moment.slice(11, 16), style)}`;
}

/** `9`, `930`, `9:30`, `9p`, `14h30`, `14.30 Uhr` or `午後2時` as `HH:MM`; null where it is no time. */
export function parseTime(text: string, { locale }: Pick<TypedStyle, 'locale'>): string | null {
  const typed = plain(text);
  const halves = halvesOf(locale);
  const half = halves.find(({ words }) => words.some((word) => typed.startsWith(word) || typed.endsWith(word)));
  const word = half?.words.find((one) => typed.startsWith(one) || typed.endsWith(one)) ?? '';
  const rest = (typed.startsWith(word) ? typed.slice(word.length) : typed.slice(0, -word.length))
    .trim()
    .replace(/(?:uhr|heures?|horas?|o'clock)$/u, '')
    .trim();
  const match = /^(\d{1,2})(?:\s*[:.,h時]\s*(\d{2})(?:\s*(?:分|m|min)?)?|\s*[h時]|(\d{2}))?$/u.exec(rest);
  if (match === null) return null;
  const hour = Number(match[1]);
  const minute = Number(match[2] ?? match[3] ?? 0);
  if (minute > 59 || hour > 24 || (hour === 24 && minute > 0)) return null;
  if (half === undefined) return `${two(hour % 24)}:${two(minute)}`;
  // Japanese counts 午後0時, and somebody on the 24-hour clock types 14:00 PM.
  if (hour > 12 && !(half.isLate && hour < 24)) return null;
  return `${two((hour % 12) + (half.isLate ? 12 : 0))}:${two(minute)}`;
}

/** `21.3.`, `3/21`, `21 mar 2027`, `2027-03-21` or `tomorrow` as `YYYY-MM-DD`; null where it is no date. */
export function parseDate(text: string, style: TypedStyle): string | null {
  const typed = plain(text);
  const today = Temporal.PlainDate.from(style.today);
  const near = nearWords(style.locale).get(typed);
  if (near !== undefined) return today.add({ days: near }).toString();
  const figures = typed.match(/\d+/g) ?? [];
  const named = monthNamed(typed, style.locale);
  if (named !== null) {
    const [one, other] = figures;
    if (one === undefined || figures.length > 2 || (other !== undefined && one.length + other.length < 5)) return null;
    return one.length === 4 ? dateFrom(one, named, other, today) : dateFrom(other, named, one, today);
  }
  // Nothing but a space before the last figures: those are a time.
  if (!/^\d+(?:\s*[./年月-]\s*\d+)*\s*[.日]?$/u.test(typed)) return null;
  const order = typed.includes('月') ? 'YMD' : style.dateFormat.replace(/[^YMD]/g, '').replace(/(.)\1+/g, '$1');
  const [first, second, third] = splitRun(figures, order);
  if (first === undefined || second === undefined) return null;
  if (third === undefined) {
    const isDayFirst = order.indexOf('D') < order.indexOf('M');
    const [month, day] = isDayFirst ? [second, first] : [first, second];
    // Where no such day exists, the other order is meant.
    return dateFrom(undefined, Number(month), day, today) ?? dateFrom(undefined, Number(day), month, today);
  }
  if (first.length === 4 || order.startsWith('Y')) return dateFrom(first, Number(second), third, today);
  const [month, day] = order.startsWith('D') ? [second, first] : [first, second];
  return dateFrom(third, Number(month), day, today) ?? dateFrom(third, Number(day), month, today);
}

/** A date, a time or both as `YYYY-MM-DDTHH:MM`; the half that is not typed is the one of `before`. */
export function parseMoment(text: string, before: string, style: TypedStyle): string | null {
  const typed = plain(text);
  const whole = parseDate(typed, style);
  const withTime = (date: string) => `${date}T${before.slice(11, 16) || '09:00'}`;
  // Four figures at the end are a year where they can be one; two are rather an hour: `21.3. 14`.
  if (whole !== null && /\d{4}$/.test(typed)) return withTime(whole);
  for (const { index, 0: gap } of typed.matchAll(/[,\s]+|(?<=\d)t(?=\d)/g)) {
    const date = parseDate(typed.slice(0, index), style);
    const time = parseTime(typed.slice(index + gap.length), style);
    if (date !== null && time !== null) return `${date}T${time}`;
  }
  if (whole !== null) return withTime(whole);
  const time = parseTime(typed, style);
  return time === null ? null : `${before.slice(0, 10) || style.today}T${time}`;
}

/** The parts of a date in figures; `21032027` is cut by the order of the person, `20270321` after its year. */
function splitRun(figures: readonly string[], order: string): readonly string[] {
  const [run] = figures;
  if (figures.length !== 1 || run?.length !== 8) return figures.length > 3 ? [] : figures;
  const byYear = [run.slice(0, 4), run.slice(4, 6), run.slice(6)];
  return order.startsWith('Y') ? byYear : [run.slice(0, 2), run.slice(2, 4), run.slice(4)];
}

function dateFrom(
  year: string | undefined,
  month: number,
  day: string | undefined,
  today: Temporal.PlainDate,
): string | null {
  if (day === undefined || day.length > 2 || (year !== undefined && year.length !== 2 && year.length !== 4))
    return null;
  const on = (of: number) => {
    try {
      return Temporal.PlainDate.from({ year: of, month, day: Number(day) }, { overflow: 'reject' });
    } catch {
      return null;
    }
  };
  if (year !== undefined) {
    const full = year.length === 2 ? 2000 + Number(year) : Number(year);
    return full < 1900 ? null : (on(full)?.toString() ?? null);
  }
  const far = (date: Temporal.PlainDate) => Math.abs(date.since(today).days);
  const near = [today.year - 1, today.year, today.year + 1].flatMap((of) => on(of) ?? []);
  return near.sort((a, b) => far(a) - far(b))[0]?.toString() ?? null;
}

const clock = (locale: string) =>
  formatter(locale, { timeZone: 'UTC', hour: 'numeric', minute: '2-digit', hourCycle: 'h12' });

/** The words of the two halves of a day, the longest first; `am` and `p` are read in every language. */
function halvesOf(locale: string) {
  return [false, true].map((isLate) => {
    const parts = clock(locale).formatToParts((isLate ? 15 : 3) * 3_600_000);
    const own = plain(parts.find(({ type }) => type === 'dayPeriod')?.value ?? '');
    const usual = isLate ? ['p.m.', 'p. m.', 'pm', 'p'] : ['a.m.', 'a. m.', 'am', 'a'];
    return { isLate, words: own === '' ? usual : [own, ...usual] };
  });
}

/** `today` and its neighbors in the language of the person. */
function nearWords(locale: string) {
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return new Map([-1, 0, 1].map((days) => [plain(words.format(days, 'day')), days]));
}

/** The month that a word of three letters or more begins, from 1. */
function monthNamed(typed: string, locale: string): number | null {
  const names = [locale, 'en'].flatMap((one) => {
    const long = formatter(one, { timeZone: 'UTC', month: 'long' });
    return Array.from({ length: 12 }, (_, at) => ({
      month: at + 1,
      name: plain(
        long.format(
          Temporal.PlainDate.from({ year: 2024, month: at + 1, day: 1 }).toZonedDateTime('UTC').epochMilliseconds,
        ),
      ),
    }));
  });
  for (const word of typed.match(/\p{L}{3,}/gu) ?? []) {
    const found = names.find(({ name }) => name.startsWith(word));
    if (found !== undefined) return found.month;
  }
  return null;
}
