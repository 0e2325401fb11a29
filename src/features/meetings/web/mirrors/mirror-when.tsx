import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { TwoLines } from '#ui/data-table.tsx';
import { formatDay, formatPlainDate, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import type { MirrorRow } from '../queries.ts';

/** When the nearest instance is: time and day, "All day", or that nothing is ahead. */
export function MirrorWhen({ row }: { row: MirrorRow }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  const repeats = row.recurring ? ` · ${t('meetings.repeats')}` : '';
  if (row.date !== null && row.time === null) {
    const day = formatPlainDate(row.date, preferences, currentMs);
    return <TwoLines first={t('meetings.allDay')} second={day + repeats} />;
  }
  if (row.starts_at === null)
    return <TwoLines first={t('meetings.noDate')} second={row.recurring ? t('meetings.repeats') : undefined} />;
  const startsMs = msOfInstant(row.starts_at);
  return (
    <TwoLines
      first={<span className="hf-num">{formatTime(startsMs, preferences)}</span>}
      second={formatDay(startsMs, preferences, currentMs) + repeats}
    />
  );
}
