import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { TwoLines } from '#ui/data-table.tsx';
import { DateField, TimeField } from '#ui/dates/when-field.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import type { Question } from '#ui/explain.ts';
import { formatDay, formatTime } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { formatSpan } from '#ui/spans/format-span.ts';
import styles from './explain-panel.module.css';
import { type SlotExplained, useSlotExplained } from './explain-queries.ts';

/** Why a time of an event type is offered or not: the person chooses it, in their own zone. */
export function SlotAnswer({
  question,
  onLeave,
}: {
  question: Extract<Question, { about: 'slot' }>;
  onLeave: () => void;
}) {
  const { t } = useTranslation();
  const { zone } = usePreferences();
  const nowMs = useNowMs();
  const [day, setDay] = useState(() => dayOf(nowMs, zone));
  const [time, setTime] = useState('');
  const atMs = readMoment(day, time, zone);
  const { data, error, refetch } = useSlotExplained(question.eventTypeId, atMs);
  return (
    <>
      <p className={styles.subject}>
        <strong>{question.title}</strong>
        <span>{t('explain.slotAsk.text', { zone })}</span>
      </p>
      <div className={styles.moment}>
        <DateField label={t('explain.slotAsk.day')} value={day} onValue={setDay} />
        <TimeField label={t('explain.slotAsk.time')} value={time} onValue={setTime} data-autofocus />
      </div>
      <div aria-live="polite">
        {atMs === null ? null : data ? (
          <SlotVerdict data={data} onLeave={onLeave} />
        ) : error ? (
          <ErrorState title={t('explain.failed')} error={error} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={2} label={t('explain.loading')} />
        )}
      </div>
    </>
  );
}

function SlotVerdict({ data, onLeave }: { data: SlotExplained; onLeave: () => void }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  const spanOf = ({ start_time: startMs, end_time: endMs }: { start_time: number; end_time: number }) =>
    formatSpan({ startMs, endMs }, preferences, { currentMs, allDay: t('explain.allDay') });
  return (
    <>
      <p className={styles.verdict}>
        {data.bookable ? t('explain.slotAnswer.offered') : t('explain.slotAnswer.missing')}
      </p>
      <ul className={styles.answers}>
        {data.reasons.map(({ kind, host, in_the_way: inTheWay, absence, with_buffers: withBuffers }) => (
          <li key={`${host} ${kind} ${inTheWay?.title} ${inTheWay?.start_time}`} className={styles.answer}>
            {host === null ? null : <strong>{host}</strong>}
            <p>
              {absence
                ? t(`explain.slotAnswer.absence.${absence.name === '' ? 'day-off-alone' : absence.kind}`, absence)
                : withBuffers
                  ? t('explain.slotAnswer.buffer')
                  : host !== null && (kind === 'busy' || kind === 'outside-hours')
                    ? t(`explain.slotAnswer.ofHost.${kind}`)
                    : t(`explain.slotReason.${kind}`)}
            </p>
            {inTheWay === null ? null : (
              <div className={styles.reasons}>
                <TwoLines
                  first={inTheWay.title ?? t('explain.slotAnswer.theirs')}
                  second={`${spanOf(inTheWay)}${inTheWay.calendar_name === null ? '' : ` · ${inTheWay.calendar_name}`}`}
                />
                {inTheWay.event_id === null ? null : (
                  <Link to="/calendar" search={{ event: inTheWay.event_id }} onClick={onLeave}>
                    {t('explain.link.event')}
                  </Link>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {data.nearest.length === 0 || data.bookable ? null : (
        <div className={styles.nearest}>
          <p>{t('explain.slotAnswer.nearest')}</p>
          <ul>
            {data.nearest.map((startMs) => (
              <li key={startMs}>{moment(startMs)}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function useMoment(): (atMs: number) => string {
  const preferences = usePreferences();
  const currentMs = useNowMs();
  return (atMs) => `${formatDay(atMs, preferences, currentMs)}, ${formatTime(atMs, preferences)}`;
}

function dayOf(atMs: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate().toString();
}

function readMoment(day: string, time: string, zone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !/^\d{2}:\d{2}/.test(time)) return null;
  return Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
}
