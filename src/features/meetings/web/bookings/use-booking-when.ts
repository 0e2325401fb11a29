import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, formatTime } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { formatSpan } from '#ui/spans/format-span.ts';

/** `Mon, Mar 8, 9:00 AM – 9:30 AM`, for its host; in a zone of somebody else with the day they have there. */
export function useBookingWhen() {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  return {
    nowMs,
    ofHost: (startMs: number, endMs: number) =>
      formatSpan({ startMs, endMs }, preferences, { currentMs: nowMs, allDay: t('meetings.allDay') }),
    day: (ms: number) => formatDay(ms, preferences, nowMs),
    moment: (ms: number) => `${formatDay(ms, preferences, nowMs)}, ${formatTime(ms, preferences)}`,
    ofGuest: (startMs: number, zone: string) => {
      if (zone === preferences.zone) return null;
      const there = { ...preferences, zone };
      return t('meetings.booking.forGuest', {
        time: `${formatDay(startMs, there, nowMs)}, ${formatTime(startMs, there)}`,
        zone: zone.replaceAll('_', ' '),
      });
    },
  };
}
