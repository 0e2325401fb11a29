import type { Zone } from '#kernel/time/zones.ts';

export interface LabelStyle {
  locale: string;
  timeFormat: '12h' | '24h';
}

/** The words of the grid: one Intl formatter each, and every answer kept, because a week asks for the same ones again. */
export interface TimeLabels {
  /** `8 AM`, `08:00` */
  hour(hour: number): string;
  /** `8:15 AM`, `08:15` */
  minute(minute: number): string;
  /** `8 AM`, `8:15 AM`, `08:15`: as short as it can be read. */
  short(minute: number): string;
  /** `8:15`, `08:15`: without its half of the day. */
  clock(minute: number): string;
  /** `8:15 – 10:15 AM`; wall-clock minutes, an end past midnight counts on. */
  range(startMinute: number, endMinute: number): string;
  /** `8:15 – 10 AM`: the same as short as it can be read. */
  shortRange(startMinute: number, endMinute: number): string;
  /** `Fri` */
  weekday(dayNumber: number): string;
  /** `F` */
  weekdayLetter(dayNumber: number): string;
  /** `20` */
  dayOfMonth(dayNumber: number): string;
  /** `Nov 20` */
  shortDay(dayNumber: number): string;
  /** `Friday, November 20` */
  longDay(dayNumber: number): string;
  /** `November 2026`; over two months `Nov – Dec 2026`. */
  month(firstDay: number, lastDay: number): string;
  /** `Nov 2026`, `Nov – Dec 2026`; in the year of `today` `November`, `Nov – Dec`. */
  shortMonth(firstDay: number, lastDay: number, today: number): string;
  /** `Nov` */
  monthName(dayNumber: number): string;
  /** `November 20, 2026` */
  date(dayNumber: number): string;
}

const dayMs = 86_400_000;
const dateOf = (day: number) => new Temporal.PlainDate(1970, 1, 1).add({ days: day });
const yearOf = (day: number) => dateOf(day).year;
const minuteMs = 60_000;

const known = new Map<string, TimeLabels>();

/** The labels of a locale and clock, made once. */
export function timeLabels({ locale, timeFormat }: LabelStyle): TimeLabels {
  const key = `${locale} ${timeFormat}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = createTimeLabels(locale, timeFormat);
  known.set(key, made);
  return made;
}

function createTimeLabels(locale: string, timeFormat: '12h' | '24h'): TimeLabels {
  const hourCycle = timeFormat === '24h' ? 'h23' : 'h12';
  // Wall-clock times are formatted as if they were UTC: they already are what the clock shows.
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
  const hours = format({ hour: 'numeric', hourCycle });
  const minutes = format({ hour: timeFormat === '24h' ? '2-digit' : 'numeric', minute: '2-digit', hourCycle });
  const weekdays = format({ weekday: 'short' });
  const letters = format({ weekday: 'narrow' });
  const shortDays = format({ month: 'short', day: 'numeric' });
  const longDays = format({ weekday: 'long', month: 'long', day: 'numeric' });
  const months = format({ month: 'long', year: 'numeric' });
  const monthRanges = format({ month: 'short', year: 'numeric' });
  const wholeMonths = format({ month: 'long' });
  const monthNames = format({ month: 'short' });
  const dates = format({ dateStyle: 'long' });
  const minuteLabels = new Map<number, string>();
  const rangeLabels = new Map<number, string>();
  const shortLabels = new Map<number, string>();
  const short = (at: number) => (at % 60 === 0 && timeFormat === '12h' ? hours.format(at * minuteMs) : minute(at));
  const halfOf = (at: number) => hours.formatToParts(at * minuteMs).find(({ type }) => type === 'dayPeriod')?.value;
  const minute = (at: number) => kept(minuteLabels, at, () => minutes.format(at * minuteMs));
  return {
    // "08 Uhr" on every line is noise: the 24-hour clock shows 08:00.
    hour: (hour) => (timeFormat === '24h' ? minute(hour * 60) : hours.format(hour * 60 * minuteMs)),
    minute,
    short,
    clock: (at) =>
      minutes
        .formatToParts(at * minuteMs)
        .filter(({ type }) => type === 'hour' || type === 'minute')
        .map(({ value }) => value)
        .join(':'),
    shortRange: (start, end) =>
      kept(shortLabels, start * 4096 + end, () => {
        const half = halfOf(start);
        const from = short(start);
        // One "AM" says it for both, where it comes last.
        const isShared = half !== undefined && half === halfOf(end) && from.endsWith(half);
        return `${isShared ? from.slice(0, -half.length).trimEnd() : from} – ${short(end % 1440)}`;
      }),
    range: (start, end) =>
      kept(rangeLabels, start * 4096 + end, () =>
        // Over midnight formatRange would spell out both dates; on 24 hours it adds words ("08:15–10:15 Uhr").
        end >= 1440 || timeFormat === '24h'
          ? `${minute(start)} – ${minute(end % 1440)}`
          : minutes.formatRange(start * minuteMs, end * minuteMs),
      ),
    weekday: (day) => weekdays.format(day * dayMs),
    weekdayLetter: (day) => letters.format(day * dayMs),
    dayOfMonth: (day) => dateOf(day).day.toString(),
    shortDay: (day) => shortDays.format(day * dayMs),
    longDay: (day) => longDays.format(day * dayMs),
    month: (first, last) => {
      const [from, to] = [months.format(first * dayMs), months.format(last * dayMs)];
      return from === to ? from : monthRanges.formatRange(first * dayMs, last * dayMs);
    },
    shortMonth: (first, last, today) => {
      const isThisYear = [first, last].every((day) => yearOf(day) === yearOf(today));
      if (!isThisYear) return monthRanges.formatRange(first * dayMs, last * dayMs);
      const isOne = dateOf(first).month === dateOf(last).month;
      return isOne ? wholeMonths.format(first * dayMs) : monthNames.formatRange(first * dayMs, last * dayMs);
    },
    monthName: (day) => monthNames.format(day * dayMs),
    date: (day) => dates.format(day * dayMs),
  };
}

function kept(map: Map<number, string>, key: number, make: () => string): string {
  let label = map.get(key);
  if (label === undefined) {
    label = make();
    map.set(key, label);
  }
  return label;
}

/** `GMT+1` for a zone at an instant: short enough for the corner of the grid. */
export function offsetLabel(zone: Zone, instantMs: number): string {
  const minutes = Math.round(zone.offsetAt(instantMs) / minuteMs);
  if (minutes === 0) return 'GMT';
  const rest = Math.abs(minutes) % 60;
  const hours = Math.floor(Math.abs(minutes) / 60);
  return `GMT${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/** `Europe/Berlin` as people read it: `Europe / Berlin` would be noise, `New_York` is a file name. */
export function zoneLabel(zone: string): string {
  return zone.replaceAll('_', ' ');
}

/** `New York` of `America/New_York`: where there is room for a city only. */
export function cityLabel(zone: string): string {
  return zoneLabel(zone.split('/').at(-1) ?? zone);
}
