import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { openSeries } from '#kernel/recurrence/open-series.ts';
import { usePreferences } from '#ui/preferences.tsx';
import styles from './event-form.module.css';
import type { RepeatStart } from './repeat-choice.ts';

const shownDates = 4;

/** The first dates of a rule, so that a person sees what they chose. A chunk of its own: it brings the whole expansion. */
export function NextDates({ rule, start }: { rule: string; start: RepeatStart }) {
  const { t } = useTranslation();
  const { locale } = usePreferences();
  const { start: at, zone } = start;
  const dates = useMemo(() => firstDates(rule, at, zone), [rule, at, zone]);
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: zone ?? 'UTC',
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
  });
  if (dates.length < 2) return null;
  return (
    <p className={styles.hint}>
      {t('editor.nextDates', {
        dates: dates
          .slice(1)
          .map((ms) => format.format(ms))
          .join(' · '),
      })}
    </p>
  );
}

function firstDates(rule: string, start: string, zone: string | null): number[] {
  const dates: number[] = [];
  try {
    const series = openSeries({
      start: start.length === 10 ? start : `${start}:00`,
      zone,
      rules: [rule],
      exRules: [],
      extraDates: [],
      exdates: [],
    });
    for (const ms of series.startsFrom(Number.NEGATIVE_INFINITY)) if (dates.push(ms) > shownDates) break;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // no start yet
  }
  return dates;
}
