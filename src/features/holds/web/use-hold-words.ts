import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, formatPlainDate, formatTime } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { formatSpan } from '#ui/spans/format-span.ts';
import type { AllowedRange } from '../rules.ts';

/** Ranks, ranges and times of holds in words. */
export function useHoldWords() {
  const { t } = useTranslation();
  const reading = usePreferences();
  const nowMs = useNowMs();
  const when = (startMs: number, endMs: number) =>
    formatSpan({ startMs, endMs }, reading, { currentMs: nowMs, allDay: t('holds.allDay') });
  const moment = (ms: number) => `${formatDay(ms, reading, nowMs)}, ${formatTime(ms, reading)}`;
  const ranks = {
    1: t('holds.rank.critical'),
    2: t('holds.rank.high'),
    3: t('holds.rank.normal'),
    4: t('holds.rank.low'),
  };
  const range = (allowed: AllowedRange) => {
    if (allowed.kind !== 'days') return t(`holds.range.${allowed.kind}`);
    const first = formatPlainDate(allowed.first, reading, nowMs);
    return t('holds.range.between', { first, last: formatPlainDate(allowed.last, reading, nowMs) });
  };
  const before = (minutes: number) =>
    minutes % 1_440 === 0
      ? t('holds.days', { count: minutes / 1_440 })
      : minutes % 60 === 0
        ? t('holds.hours', { count: minutes / 60 })
        : t('holds.minutes', { count: minutes });
  return { when, moment, ranks, range, before };
}
