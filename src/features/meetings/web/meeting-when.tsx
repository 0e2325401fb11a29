import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { TwoLines } from '#ui/data-table.tsx';
import { formatDay, formatPlainDate, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { MeetingRow } from './queries.ts';

/** `10:30 AM`, and below it day and length; without the day where a heading names it. */
export function MeetingWhen({ row, isGrouped = false }: { row: MeetingRow; isGrouped?: boolean }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  if (row.all_day) {
    return (
      <TwoLines
        first={t('meetings.allDay')}
        second={isGrouped ? undefined : formatPlainDate(row.date, preferences, currentMs)}
      />
    );
  }
  const startsMs = msOfInstant(row.starts_at);
  const minutes = Math.round((msOfInstant(row.ends_at) - startsMs) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const length = [
    hours > 0 && t('meetings.hours', { count: hours }),
    (rest > 0 || hours === 0) && t('meetings.minutes', { count: rest }),
  ]
    .filter(Boolean)
    .join(' ');
  return (
    <TwoLines
      first={<span className="hf-num">{formatTime(startsMs, preferences)}</span>}
      second={isGrouped ? length : `${formatDay(startsMs, preferences, currentMs)} · ${length}`}
    />
  );
}
