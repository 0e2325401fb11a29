import type { Preferences } from './preferences.tsx';

/** Intl formatters are slow to make and free to keep. */
const formatters = new Map<string, Intl.DateTimeFormat>();

export function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale}${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  formatters.set(key, made);
  return made;
}

type Reading = Pick<Preferences, 'zone' | 'locale' | 'timeFormat' | 'dateFormat'>;

/** `10:30 AM` or `10:30`, in the person's zone. */
export function formatTime(atMs: number, { zone, locale, timeFormat }: Reading): string {
  return formatter(locale, {
    timeZone: zone,
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: timeFormat === '24h' ? 'h23' : 'h12',
  }).format(atMs);
}

/** `20.11.2026`: a day in figures, in the order and with the signs that the person chose. */
export function formatFigures(atMs: number, { zone, dateFormat }: Pick<Reading, 'zone' | 'dateFormat'>): string {
  const day = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  const [year, month, dayOfMonth] = day.toString().split('-');
  return dateFormat.replace(
    /YYYY|MM|DD/g,
    (part) => (part === 'YYYY' ? year : part === 'MM' ? month : dayOfMonth) ?? '',
  );
}

/** `Fri, Nov 20`; in another year than the current one the day in figures, `Wed, 2027-01-06`. */
export function formatDay(atMs: number, reading: Reading, currentMs: number): string {
  const { zone, locale } = reading;
  const year = formatter(locale, { timeZone: zone, year: 'numeric' });
  if (year.format(atMs) === year.format(currentMs)) {
    return formatter(locale, { timeZone: zone, weekday: 'short', month: 'short', day: 'numeric' }).format(atMs);
  }
  return `${formatter(locale, { timeZone: zone, weekday: 'short' }).format(atMs)}, ${formatFigures(atMs, reading)}`;
}

/** Date in figures, time with seconds and the zone's name: the absolute behind a relative time. */
export function formatMoment(atMs: number, reading: Reading): string {
  const { zone, locale, timeFormat } = reading;
  const time = formatter(locale, {
    timeZone: zone,
    timeStyle: 'long',
    hourCycle: timeFormat === '24h' ? 'h23' : 'h12',
  }).format(atMs);
  return `${formatFigures(atMs, reading)}, ${time}`;
}

/** A calendar date that belongs to no zone, `YYYY-MM-DD` -> `Fri, Nov 20`, like `formatDay`. */
export function formatPlainDate(date: string, reading: Reading, currentMs: number): string {
  const atMs = Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds;
  return formatDay(atMs, { ...reading, zone: 'UTC' }, currentMs);
}

/** Epoch milliseconds of an ISO instant. */
export function msOfInstant(instant: string): number {
  return Temporal.Instant.from(instant).epochMilliseconds;
}

/** Short names of the ISO weekdays, Monday first. */
export function weekdayNames(locale: string): string[] {
  const mondayMs = Temporal.PlainDate.from('2024-01-01').toZonedDateTime('UTC').epochMilliseconds;
  const short = formatter(locale, { timeZone: 'UTC', weekday: 'short' });
  return Array.from({ length: 7 }, (_, day) => short.format(mondayMs + day * 86_400_000));
}
