import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { weekdayNames } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { Granularity } from '../../rules/measures.ts';

/** A moment of a date or an hour that has no zone. */
const msOfDate = (date: string) => Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds;

/** Figures, days and hours as this person reads them. An unknown value is a dash, never a zero. */
export function useFigureText() {
  const { t } = useTranslation();
  const { locale, timeFormat, zone } = usePreferences();
  const { year } = Temporal.Instant.fromEpochMilliseconds(useNowMs()).toZonedDateTimeISO(zone);
  return useMemo(() => {
    const day = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
    const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
    const precise = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
    const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
    const tenthsOfPercent = new Intl.NumberFormat(locale, {
      style: 'percent',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    });
    const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
    const short = day({ month: 'short', day: 'numeric' });
    const dated = day({ month: 'short', day: 'numeric', year: 'numeric' });
    const whole = day({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });
    const month = day({ month: 'short', year: 'numeric' });
    const hours = day(
      timeFormat === '24h'
        ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
        : { hour: 'numeric', hour12: true },
    );
    const formOf = (...dates: string[]) =>
      dates.every((date) => Temporal.PlainDate.from(date).year === year) ? short : dated;
    const unknown = t('analytics.unknown');
    const orUnknown = (value: number | null, text: (known: number) => string) =>
      value === null ? unknown : text(value);
    return {
      unknown,
      number: (value: number | null) => orUnknown(value, (known) => plain.format(known)),
      /** To two digits, for what is added up. */
      exact: (value: number | null) => orUnknown(value, (known) => precise.format(known)),
      percent: (value: number | null) => orUnknown(value, (known) => percent.format(known / 100)),
      /** Always with one digit. */
      share: (part: number, whole: number) => (whole === 0 ? unknown : tenthsOfPercent.format(part / whole)),
      signed: (value: number) => signed.format(value),
      hour: (hour: number) => hours.format(hour * 3_600_000),
      /** With its year where that is another than this one. */
      day: (date: string) => formOf(date).format(msOfDate(date)),
      /** From the first day up to `to`; both with their years where one is in another year. */
      range: (from: string, to: string) => {
        const last = lastDay(to);
        const form = formOf(from, last);
        return `${form.format(msOfDate(from))} – ${form.format(msOfDate(last))}`;
      },
      wholeDay: (date: string) => whole.format(msOfDate(date)),
      bucket: (date: string, granularity: Granularity) =>
        granularity === 'month' ? month.format(msOfDate(date)) : short.format(msOfDate(date)),
      wholeBucket: (date: string, granularity: Granularity) =>
        granularity === 'month'
          ? month.format(msOfDate(date))
          : granularity === 'week'
            ? t('analytics.weekOf', { day: formOf(date).format(msOfDate(date)) })
            : whole.format(msOfDate(date)),
      weekdays: weekdayNames(locale),
    };
  }, [t, locale, timeFormat, year]);
}

/** The last day of a range that ends before `to`. */
const lastDay = (to: string) => Temporal.PlainDate.from(to).subtract({ days: 1 }).toString();
