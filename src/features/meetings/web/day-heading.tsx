import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { usePreferences } from '#ui/preferences.tsx';
import styles from './row-title.module.css';

/** "Today, Wednesday, December 2 · 5 meetings"; null: the rest of the day is on another page. */
export function DayHeading({ date, count }: { date: string; count: number | null }) {
  const { t } = useTranslation();
  const { zone, locale } = usePreferences();
  const today = Temporal.Instant.fromEpochMilliseconds(useNowMs()).toZonedDateTimeISO(zone).toPlainDate();
  const that = Temporal.PlainDate.from(date);
  const day = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(that.year === today.year ? {} : { year: 'numeric' }),
  }).format(that.toZonedDateTime('UTC').epochMilliseconds);
  const near = that.equals(today) ? 'today' : that.equals(today.add({ days: 1 })) ? 'tomorrow' : null;
  return (
    <>
      {near === null ? day : t(`meetings.day.${near}`, { day })}
      {count === null ? null : <span className={styles.count}> · {t('meetings.day.count', { count })}</span>}
    </>
  );
}
