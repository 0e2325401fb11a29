import type { Preferences } from './preferences.tsx';

/** Intl formatters are slow to make and free to keep. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale}${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  formatters.set(key, made);
  return made;
}

type Reading = Pick<Preferences, 'zone' | 'locale' | 'timeFormat'>;

/** `10:30 AM` or `10:30`, in the person's zone. */
export function formatTime(atMs: number, { zone, locale, timeFormat }: Reading): string {
  return formatter(locale, {
    timeZone: zone,
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: timeFormat === '24h' ? 'h23' : 'h12',
  }).format(atMs);
}

/** `Fri, Nov 20`, with the year where it is not the current one. */
export function formatDay(atMs: number, { zone, locale }: Reading, currentMs: number): string {
  const year = formatter(locale, { timeZone: zone, year: 'numeric' });
  return formatter(locale, {
    timeZone: zone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(year.format(atMs) === year.format(currentMs) ? {} : { year: 'numeric' }),
  }).format(atMs);
}

/** Date, time with seconds and the zone's name: the absolute behind a relative time. */
export function formatMoment(atMs: number, { zone, locale, timeFormat }: Reading): string {
  return formatter(locale, {
    timeZone: zone,
    dateStyle: 'medium',
    timeStyle: 'long',
    hourCycle: timeFormat === '24h' ? 'h23' : 'h12',
  }).format(atMs);
}

/** A calendar date that belongs to no zone, `YYYY-MM-DD` -> `Fri, Nov 20`. */
export function formatPlainDate(date: string, locale: string): string {
  return formatter(locale, { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' }).format(
    Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds,
  );
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
