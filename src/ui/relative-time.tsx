import { useNowMs } from './clock.ts';
import { formatMoment, msOfInstant } from './format.ts';
import { usePreferences } from './preferences.tsx';
import { useWords } from './words.tsx';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** "Just now", "5m ago", "3h ago", "2d ago", as a function, for texts that contain one. */
export function useRelativeTime(): (instant: string) => string {
  const words = useWords();
  const currentMs = useNowMs();
  return (instant) => {
    const ageMs = currentMs - msOfInstant(instant);
    if (ageMs < MINUTE_MS) return words.justNow;
    if (ageMs < HOUR_MS) return words.minutesAgo(Math.floor(ageMs / MINUTE_MS));
    if (ageMs < DAY_MS) return words.hoursAgo(Math.floor(ageMs / HOUR_MS));
    return words.daysAgo(Math.floor(ageMs / DAY_MS));
  };
}

/** A relative time with the absolute one on hover. */
export function RelativeTime({ at }: { at: string }) {
  const relative = useRelativeTime();
  const preferences = usePreferences();
  return (
    <time dateTime={at} title={formatMoment(msOfInstant(at), preferences)}>
      {relative(at)}
    </time>
  );
}
