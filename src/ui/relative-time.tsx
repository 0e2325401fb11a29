import { useNowMs } from './clock.ts';
import { formatMoment, msOfInstant } from './format.ts';
import { usePreferences } from './preferences.tsx';
import { useWords } from './words.tsx';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** "Just now", "5m ago", "3h ago", "2d ago", as a function, for texts that contain one. */
export function useRelativeTime(): (instant: string | number) => string {
  const words = useWords();
  const currentMs = useNowMs();
  return (instant) => {
    const ageMs = currentMs - msOf(instant);
    if (ageMs < MINUTE_MS) return words.justNow;
    if (ageMs < HOUR_MS) return words.minutesAgo(Math.floor(ageMs / MINUTE_MS));
    if (ageMs < DAY_MS) return words.hoursAgo(Math.floor(ageMs / HOUR_MS));
    return words.daysAgo(Math.floor(ageMs / DAY_MS));
  };
}

/** A relative time with the absolute one on hover; `at` as ISO 8601 or in epoch milliseconds. */
export function RelativeTime({ at }: { at: string | number }) {
  const relative = useRelativeTime();
  const preferences = usePreferences();
  const atMs = msOf(at);
  const iso = Temporal.Instant.fromEpochMilliseconds(atMs).toString();
  return (
    <time dateTime={iso} title={formatMoment(atMs, preferences)}>
      {relative(at)}
    </time>
  );
}

const msOf = (instant: string | number) => (typeof instant === 'number' ? instant : msOfInstant(instant));
