import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { Diff } from '../queries.ts';

type Row = Diff['targets'][number]['rows'][number];

/** Day and time of a row of the review, in words; both empty where nobody knows them. */
export function useRowTime(): (row: Row) => { day: string; time: string } {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  return ({ startsAt, endsAt, allDay }) => {
    if (startsAt === null) return { day: '', time: '' };
    const startMs = msOfInstant(startsAt);
    const endMs = endsAt === null ? startMs : msOfInstant(endsAt);
    const dayOf = (ms: number) => formatDay(ms, preferences, currentMs);
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
