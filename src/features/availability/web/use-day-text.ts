import { useNowMs } from '#ui/clock.ts';
import { formatPlainDate, formatTime } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';

/** A date as this person reads it, `Mon, Mar 8`. */
export function useDayText(): (day: string) => string {
  const reading = usePreferences();
  const currentMs = useNowMs();
  return (day) => formatPlainDate(day, reading, currentMs);
}

/** Hours of a day as this person reads them, `9:00 AM – 5:00 PM, 7:00 PM – 8:00 PM`. */
export function useHoursText(): (intervals: readonly { start: string; end: string }[]) => string {
  const reading = { ...usePreferences(), zone: 'UTC' };
  const time = (wall: string) => {
    const [hours = 0, minutes = 0] = wall.split(':').map(Number);
    return formatTime((hours * 60 + minutes) * 60_000, reading);
  };
  return (intervals) => intervals.map(({ start, end }) => `${time(start)} – ${time(end)}`).join(', ');
}
