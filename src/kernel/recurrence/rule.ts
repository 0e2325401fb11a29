/**
 * A recurrence rule as data. Source: RFC 5545 section 3.3.10 with its errata, RFC 7529 for SKIP.
 * Empty lists mean "part not given". Lists are sorted and without doubles.
 */

export const frequencies = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof frequencies)[number];

/** In the order of `weekdayOf`: 0 = Monday. */
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

export interface WeekdayNth {
  /** 0 = Monday to 6 = Sunday. */
  weekday: number;
  /** The n-th of its month or year, from the end where negative; 0 = every. */
  nth: number;
}

/**
 * The last moment that may still be an instance. `date`: that whole day of the wall clock; `local`: wall clock,
 * local ms; `utc`: epoch ms.
 */
export interface Until {
  form: 'date' | 'local' | 'utc';
  ms: number;
}

export type Skip = 'OMIT' | 'BACKWARD' | 'FORWARD';

export interface Rule {
  freq: Frequency;
  interval: number;
  count: number | null;
  until: Until | null;
  /** 0 = Monday to 6 = Sunday. */
  weekStart: number;
  bySecond: number[];
  byMinute: number[];
  byHour: number[];
  byDay: WeekdayNth[];
  byMonthDay: number[];
  byYearDay: number[];
  byWeekNo: number[];
  byMonth: number[];
  bySetPos: number[];
  /** Handling of a day that its month or year lacks; null without RSCALE, which means OMIT. */
  skip: Skip | null;
}

export type ParsedRule = { ok: true; rule: Rule } | { ok: false; reason: string };
