import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { formatSpan } from '#ui/spans/format-span.ts';

/** `Fri, Nov 20, 8:15 – 10:15 AM`, or with the last day of an event of several. */
export function useSpanText(): (event: { start: string | null; end: string | null }) => string {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  return ({ start, end }) => {
    if (start === null || end === null) return '';
    const span = { startMs: msOfInstant(start), endMs: msOfInstant(end) };
    return formatSpan(span, preferences, { currentMs, allDay: t('explain.allDay') });
  };
}
