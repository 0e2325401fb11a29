import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { useNowMs } from '#ui/clock.ts';
import { TwoLines } from '#ui/data-table.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import type { Question } from '#ui/explain.ts';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { useSpanText } from '../bookings/use-span-text.ts';
import styles from './explain-panel.module.css';
import { useBusyExplained } from './explain-queries.ts';

/** Events that take a time, or whether one event does, each with the rule that decides it. */
export function BusyAnswer({
  question,
  onLeave,
}: {
  question: Extract<Question, { about: 'busy' }>;
  onLeave: () => void;
}) {
  const { t } = useTranslation();
  const spanText = useSpanText();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  const { data, error, refetch } = useBusyExplained(question);
  if (!data && error) return <ErrorState title={t('explain.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={3} label={t('explain.loading')} />;
  const atMs = data.at === null ? null : msOfInstant(data.at);
  return (
    <>
      <p className={styles.subject}>
        <strong>{data.busy ? t('explain.isBusy') : t('explain.isFree')}</strong>
        {atMs === null ? null : (
          <span>{`${formatDay(atMs, preferences, currentMs)}, ${formatTime(atMs, preferences)}`}</span>
        )}
      </p>
      {data.events.length === 0 ? <p>{t('explain.nothingThere')}</p> : null}
      <ul className={styles.answers}>
        {data.events.map((event) => (
          <li key={event.event_id} className={styles.answer}>
            <div className={styles.head}>
              <span className={styles.place}>
                <ColorMark color={event.color} />
                <TwoLines
                  first={event.title}
                  second={`${spanText({ start: event.start_time, end: event.end_time })} · ${event.calendar_name}`}
                />
              </span>
              <StateBadge state={event.class === 'busy' ? 'pending' : 'idle'}>
                {t(`explain.class.${event.class}`)}
              </StateBadge>
            </div>
            <ul className={styles.reasons}>
              <li>
                <span>{t(`explain.busyReason.${event.reason}`)}</span>{' '}
                <Link to="/calendar" search={{ event: event.event_id }} onClick={onLeave}>
                  {t('explain.link.event')}
                </Link>
              </li>
            </ul>
          </li>
        ))}
      </ul>
    </>
  );
}
