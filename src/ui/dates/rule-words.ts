import { parseRule } from '#kernel/recurrence/parse-rule.ts';
import type { Rule, Until, WeekdayNth } from '#kernel/recurrence/rule.ts';
import { dayMs, weekdayOf } from '#kernel/time/civil.ts';
import { parseLocalDate, printLocalDate } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';

/** Looks up a text, as i18next does. */
interface Say {
  (key: string): string;
  (key: string, values: Record<string, string | number>): string;
}

export interface RuleReader {
  t: Say;
  /** For names of days and months, and how they are listed. */
  locale: string;
  /** In which the last day is read; null for all-day. */
  zone: string | null;
  /** `2027-03-08` or `2027-03-08T09:00`: names the day that a rule leaves to the start of its event. */
  start?: string;
}

/**
 * An RRULE in plain words: `Every 2 weeks on Monday and Thursday until March 3, 2027`. Whatever the rule says is said;
 * one that cannot be read is quoted.
 */
export function ruleWords(text: string, reader: RuleReader): string {
  const parsed = parseRule(text);
  if (!parsed.ok) return reader.t('editor.rule.unreadable', { rule: text });
  const rule = reader.start === undefined ? parsed.rule : withStartDay(parsed.rule, reader.start);
  return new Phrase(rule, reader).text();
}

/** Days that RFC 5545 section 3.3.10 takes from DTSTART, written out. */
function withStartDay(rule: Rule, start: string): Rule {
  const day = startDay(start);
  const [month, date] = printLocalDate(day * dayMs)
    .split('-')
    .slice(1)
    .map(Number) as [number, number];
  const { freq, byDay, byMonthDay, byMonth, byYearDay, byWeekNo } = rule;
  if (byDay.length + byMonthDay.length + byYearDay.length > 0) return rule;
  if (freq === 'WEEKLY' || byWeekNo.length > 0) return { ...rule, byDay: [{ weekday: weekdayOf(day), nth: 0 }] };
  if (freq === 'MONTHLY') return { ...rule, byMonthDay: [date] };
  if (freq === 'YEARLY') return { ...rule, byMonthDay: [date], byMonth: byMonth.length > 0 ? byMonth : [month] };
  return rule;
}

const workdays = '0,1,2,3,4';
const everyDay = '0,1,2,3,4,5,6';
/** Weekdays and months of 2024, which began on a Monday. */
const mondayMs = parseLocalDate('2024-01-01') as number;

class Phrase {
  readonly #rule: Rule;
  readonly #t: Say;
  readonly #reader: RuleReader;
  readonly #and: Intl.ListFormat;
  readonly #ordinals: Intl.PluralRules;

  constructor(rule: Rule, reader: RuleReader) {
    this.#rule = rule;
    this.#t = reader.t;
    this.#reader = reader;
    this.#and = new Intl.ListFormat(reader.locale, { type: 'conjunction' });
    this.#ordinals = new Intl.PluralRules(reader.locale, { type: 'ordinal' });
  }

  text(): string {
    const [every, days] = this.#everyAndDays();
    return [every, ...days, this.#positions(), this.#times(), this.#end()].filter((part) => part !== '').join(' ');
  }

  /** `Every 2 weeks`, and on which days; the usual ones have a word of their own. */
  #everyAndDays(): [string, string[]] {
    const t = this.#t;
    const { freq, interval, byDay, bySetPos } = this.#rule;
    const plain = byDay.every(({ nth }) => nth === 0) && bySetPos.length === 0 && interval === 1;
    const key = byDay.map(({ weekday }) => weekday).join();
    const onlyDays = this.#conditions().length === 1;
    if (plain && onlyDays && (freq === 'WEEKLY' || freq === 'DAILY')) {
      if (key === workdays) return [t('editor.rule.weekdays'), []];
      if (key === everyDay) return [t('editor.rule.each.DAILY'), []];
    }
    const every =
      // not the form for one: Japanese counts without forms, but says another word
      interval === 1 ? t(`editor.rule.each.${freq}`) : t(`editor.rule.every.${freq}`, { count: interval });
    return [every, this.#conditions()];
  }

  /** The conditions on days, widest first. */
  #conditions(): string[] {
    const t = this.#t;
    const { freq, byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = this.#rule;
    const parts: string[] = [];
    const months = this.#list(byMonth.map((month) => this.#month(month)));
    const dates = this.#dates(byMonthDay);
    // `on March 3` and `on the third Friday of March` read better than their parts.
    const [onlyDate] = byMonthDay;
    const [onlyMonth] = byMonth;
    const isOneDate = onlyDate !== undefined && onlyDate > 0 && byMonthDay.length === 1;
    if (freq === 'YEARLY' && isOneDate && onlyMonth !== undefined && byMonth.length === 1) {
      parts.push(t('editor.rule.on', { days: this.#dayOfYear(onlyMonth, onlyDate) }));
    } else {
      if (byMonth.length > 0) parts.push(t('editor.rule.in', { months }));
      if (byMonthDay.length > 0) parts.push(t('editor.rule.on', { days: dates }));
    }
    if (byWeekNo.length > 0) parts.push(t('editor.rule.weeks', { weeks: this.#list(byWeekNo.map(String)) }));
    if (byYearDay.length > 0) {
      parts.push(t('editor.rule.yearDays', { days: this.#list(byYearDay.map((day) => this.#nth(day))) }));
    }
    if (byDay.length > 0) {
      const days = this.#weekdays(byDay);
      const narrows = byMonthDay.length > 0 || byYearDay.length > 0;
      parts.push(narrows ? t('editor.rule.if', { days }) : t('editor.rule.on', { days }));
    }
    return parts;
  }

  /** `on Monday and Thursday`, `the third Friday`. */
  #weekdays(days: readonly WeekdayNth[]): string {
    // The reader passes over a number under shorter frequencies.
    const counts = this.#rule.freq === 'MONTHLY' || this.#rule.freq === 'YEARLY';
    return this.#list(
      days.map(({ weekday, nth }) => {
        const name = this.#weekday(weekday);
        return nth === 0 || !counts
          ? name
          : this.#t('editor.rule.nthWeekday', { nth: this.#place(nth), weekday: name });
      }),
    );
  }

  #dates(days: readonly number[]): string {
    return this.#list(
      days
        .toSorted((a, b) => Number(a < 0) - Number(b < 0) || a - b)
        .map((day) =>
          day === -1
            ? this.#t('editor.rule.lastDay')
            : day < 0
              ? this.#t('editor.rule.dayFromEnd', { nth: this.#nth(-day) })
              : this.#t('editor.rule.date', { nth: this.#nth(day) }),
        ),
    );
  }

  /** `only the last of these`, for BYSETPOS. */
  #positions(): string {
    const { bySetPos } = this.#rule;
    if (bySetPos.length === 0) return '';
    return this.#t('editor.rule.positions', { places: this.#list(bySetPos.map((place) => this.#place(place))) });
  }

  #times(): string {
    const { freq, byHour, byMinute, bySecond } = this.#rule;
    if (byHour.length === 0 && byMinute.length === 0 && bySecond.length === 0) return '';
    if (byHour.length > 0 && byHour.length * Math.max(1, byMinute.length) <= 12 && bySecond.length === 0) {
      const format = new Intl.DateTimeFormat(this.#reader.locale, { timeZone: 'UTC', timeStyle: 'short' });
      const minutes = byMinute.length > 0 ? byMinute : freq === 'MINUTELY' || freq === 'SECONDLY' ? null : [0];
      if (minutes !== null && (byMinute.length > 0 || freq !== 'HOURLY')) {
        const times = byHour.flatMap((hour) =>
          minutes.map((minute) => format.format((hour * 60 + minute) * 60_000).replaceAll('\u202f', ' ')),
        );
        return this.#t('editor.rule.at', { times: this.#list(times) });
      }
    }
    return [
      byHour.length > 0 && this.#t('editor.rule.hours', { list: this.#list(byHour.map(String)) }),
      byMinute.length > 0 && this.#t('editor.rule.minutes', { list: this.#list(byMinute.map(String)) }),
      bySecond.length > 0 && this.#t('editor.rule.seconds', { list: this.#list(bySecond.map(String)) }),
    ]
      .filter(Boolean)
      .join(' ');
  }

  #end(): string {
    const { count, until } = this.#rule;
    if (count !== null) return this.#t('editor.rule.times', { count });
    if (until === null) return '';
    const format = new Intl.DateTimeFormat(this.#reader.locale, { timeZone: 'UTC', dateStyle: 'long' });
    const date = untilDate(until, this.#reader.zone);
    return this.#t('editor.rule.until', { date: format.format(parseLocalDate(date) ?? 0) });
  }

  /** `third`, `last`, `second to last`. */
  #place(nth: number): string {
    const t = this.#t;
    if (nth === -1) return t('editor.rule.last');
    if (nth < 0) return t('editor.rule.fromLast', { nth: this.#place(-nth) });
    const words = [
      t('editor.rule.place.first'),
      t('editor.rule.place.second'),
      t('editor.rule.place.third'),
      t('editor.rule.place.fourth'),
      t('editor.rule.place.fifth'),
    ];
    return words[nth - 1] ?? this.#nth(nth);
  }

  /** `20th`; from the end where negative. */
  #nth(day: number): string {
    if (day < 0) return this.#t('editor.rule.fromLast', { nth: this.#nth(-day) });
    return this.#t(`editor.rule.ordinal.${this.#ordinals.select(day)}`, { day });
  }

  #weekday(weekday: number): string {
    return new Intl.DateTimeFormat(this.#reader.locale, { timeZone: 'UTC', weekday: 'long' }).format(
      mondayMs + weekday * dayMs,
    );
  }

  #month(month: number): string {
    return new Intl.DateTimeFormat(this.#reader.locale, { timeZone: 'UTC', month: 'long' }).format(
      mondayMs + (month - 1) * 31 * dayMs,
    );
  }

  #dayOfYear(month: number, day: number): string {
    const atMs = parseLocalDate(`2024-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`);
    if (atMs === null) return `${this.#month(month)} ${day}`;
    return new Intl.DateTimeFormat(this.#reader.locale, { timeZone: 'UTC', month: 'long', day: 'numeric' }).format(
      atMs,
    );
  }

  #list(items: readonly string[]): string {
    return this.#and.format(items);
  }
}

/** The day of a start, `2027-03-08T09:00` -> days since 1970-01-01. */
export function startDay(start: string): number {
  return (parseLocalDate(start.slice(0, 10)) ?? 0) / dayMs;
}

/** The last day of a rule as a person in the event's zone reads it. */
export function untilDate(until: Until, zone: string | null): string {
  const clock = zone === null ? utc : (loadZone(zone) ?? utc);
  return printLocalDate(until.form === 'utc' ? clock.toLocal(until.ms) : until.ms);
}
