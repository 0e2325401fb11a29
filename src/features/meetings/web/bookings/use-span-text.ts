import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';

/** `Fri, Nov 20, 8:15 – 10:15 AM`, or with the last day where an event takes several. */
export function useSpanText(): (event: { start: string | null; end: string | null; allDay: boolean }) => string {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  return ({ start, end, allDay }) => {
    if (start === null || end === null) return '';
    const startMs = msOfInstant(start);
    const endMs = msOfInstant(end);
    const day = formatDay(startMs, preferences, currentMs);
    // an end at midnight belongs to the day before
    const lastDay = formatDay(Math.max(startMs, endMs - 1), preferences, currentMs);
    if (allDay) return `${lastDay === day ? day : `${day} – ${lastDay}`}, ${t('explain.allDay')}`;
    const endTime = formatTime(endMs, preferences);
    const endText = lastDay === day ? endTime : `${formatDay(endMs, preferences, currentMs)}, ${endTime}`;
    return `${day}, ${formatTime(startMs, preferences)} – ${endText}`;
  };
}
