import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { Diff } from '../queries.ts';

export type Row = Diff['targets'][number]['rows'][number];

/** Day and time of a row of the review, in words; both empty where nobody knows them. */
export function useRowTime(): (row: Row) => { day: string; time: string } {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const dayOf = useDay();
  return ({ startsAt, endsAt, allDay }) => {
    if (startsAt === null) return { day: '', time: '' };
    const startMs = msOfInstant(startsAt);
    const endMs = endsAt === null ? startMs : msOfInstant(endsAt);
    const day = dayOf(startMs);
    // An end at midnight belongs to the day before.
    const lastDay = dayOf(Math.max(startMs, endMs - 1));
    if (allDay)
      return { day, time: lastDay === day ? t('sync.review.allDay') : t('sync.review.until', { day: lastDay }) };
    const start = formatTime(startMs, preferences);
    if (endMs <= startMs) return { day, time: start };
    const end = formatTime(endMs, preferences);
    return { day, time: `${start} – ${lastDay === day ? end : `${lastDay}, ${end}`}` };
  };
}

/** One form for every row: another year is added to it. */
export function useDay(): (atMs: number) => string {
  const { locale, zone } = usePreferences();
  const currentMs = useNowMs();
  const yearOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).year;
  return (atMs) =>
    new Intl.DateTimeFormat(locale, {
      timeZone: zone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      ...(yearOf(atMs) === yearOf(currentMs) ? {} : { year: 'numeric' }),
    }).format(atMs);
}
