import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';

/** `Fri, Nov 20, 8:15 – 10:15 AM` */
export function useSpanText(): (event: { start: string | null; end: string | null; allDay: boolean }) => string {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  return ({ start, end, allDay }) => {
    if (start === null || end === null) return '';
    const startMs = msOfInstant(start);
    const day = formatDay(startMs, preferences, currentMs);
    if (allDay) return `${day}, ${t('explain.allDay')}`;
    return `${day}, ${formatTime(startMs, preferences)} – ${formatTime(msOfInstant(end), preferences)}`;
  };
}
