import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createClient } from '#kernel/contract-client.ts';
import { dayMs, hourMs } from '#kernel/time/civil.ts';
import type { Span } from '#kernel/time/intervals.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { isWholeDays } from '#ui/spans/format-span.ts';
import { calendarContract } from '../../contract.ts';
import { clockTime, fullTime } from '../event-time.ts';
import { timeLabels } from '../time-labels.ts';
import styles from './conflict-line.module.css';
import { type EventDraft, localMs, printMinute, spanOf } from './event-draft.ts';

const { freeTimes } = calendarContract;
const api = createClient({ freeTimes });

/** A pause in choosing. */
const pauseMs = 250;
/** Named before "and 3 more". */
const mostNamed = 3;

/** Finds conflicts of a form's time, and free times nearby. An event shown as free is not checked. */
export function useFreeTimes(draft: EventDraft, exceptEventId: string | null) {
  const span = spanOf(draft);
  const [asked, setAsked] = useState(span);
  const [startMs, endMs] = [span?.startMs, span?.endMs];
  useEffect(() => {
    const timer = setTimeout(
      () => setAsked(startMs === undefined || endMs === undefined ? null : { startMs, endMs }),
      pauseMs,
    );
    return () => clearTimeout(timer);
  }, [startMs, endMs]);
  const isAsked = asked !== null && asked.endMs > asked.startMs && draft.busy !== 'free';
  const { data, isError } = useQuery({
    queryKey: ['calendar', 'free-times', asked, exceptEventId],
    queryFn: ({ signal }) =>
      api.freeTimes(
        {
          body: {
            start: isoOf(asked?.startMs ?? 0),
            end: isoOf(asked?.endMs ?? 0),
            except_event_id: exceptEventId,
          },
        },
        { signal },
      ),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return { answer: isAsked ? data : undefined, isAsked, isError };
}

/** The Conflict Check: a word, what is in the way, and the nearest free times as buttons. */
export function ConflictLine({
  draft,
  check,
  offersTimes = true,
  onChange,
}: {
  draft: EventDraft;
  check: ReturnType<typeof useFreeTimes>;
  /** False where free times of all guests are offered beside it. */
  offersTimes?: boolean;
  onChange: (draft: EventDraft) => void;
}) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const labels = timeLabels(preferences);
  const zone = loadZone(draft.zone) ?? utc;
  const ownZone = loadZone(preferences.zone) ?? utc;
  const { answer, isAsked, isError } = check;
  const allDay = t('calendar.allDay');
  const conflicts = answer?.conflicts ?? [];
  const names = conflicts
    .slice(0, mostNamed)
    .map((one) => {
      const [startMs, endMs] = [msOf(one.start), msOf(one.end)];
      const isWhole = isWholeDays(startMs, endMs, preferences.zone);
      const times = { startMs, endMs, allDay: isWhole ? allDayOf(startMs, endMs, preferences.zone) : undefined };
      const write = endMs - startMs > 25 * hourMs ? fullTime : clockTime;
      return `${one.title || t('calendar.untitled')} (${one.calendar_name}, ${write(times, isWhole ? ownZone : zone, labels, allDay)})`;
    })
    .join(', ');
  return (
    <section className={styles.check} aria-label={t('editor.check.title')}>
      <p className={styles.heading} aria-hidden="true">
        {t('editor.check.title')}
      </p>
      <p className={styles.line} role="status" data-conflict={conflicts.length > 0 || undefined}>
        {isError ? (
          t('editor.check.failed')
        ) : !isAsked ? (
          draft.busy === 'free' ? (
            t('editor.check.free')
          ) : (
            t('editor.check.none')
          )
        ) : answer === undefined ? (
          t('editor.check.looking')
        ) : conflicts.length === 0 ? (
          <>
            <IconCheck size={16} stroke={2} aria-hidden />
            {t('editor.check.none')}
          </>
        ) : (
          <>
            <IconAlertTriangle size={16} stroke={2} aria-hidden />
            <span>
              {t('editor.check.conflict')}
              <span className={styles.names}>
                {names}
                {conflicts.length > mostNamed
                  ? ` ${t('calendar.andMore', { count: conflicts.length - mostNamed })}`
                  : ''}
              </span>
            </span>
          </>
        )}
      </p>
      {conflicts.length > 0 && answer !== undefined && offersTimes ? (
        <FreeTimes
          draft={draft}
          label={t('editor.check.nearest')}
          free={answer.free.map(({ start, end }) => ({ startMs: msOf(start), endMs: msOf(end) }))}
          onChange={onChange}
        />
      ) : null}
    </section>
  );
}

/** Free times as buttons that move the event there. Nothing where there is none. */
export function FreeTimes({
  draft,
  label,
  free,
  onChange,
}: {
  draft: EventDraft;
  label: string;
  free: readonly Span[];
  onChange: (draft: EventDraft) => void;
}) {
  const { t } = useTranslation();
  const labels = timeLabels(usePreferences());
  const zone = loadZone(draft.zone) ?? utc;
  if (free.length === 0) return null;
  // The day is said where it is another one.
  const textOf = ({ startMs, endMs }: Span) => {
    const times = { startMs, endMs, allDay: draft.allDay ? allDayOf(startMs, endMs, draft.zone) : undefined };
    const day = printMinute(zone.toLocal(startMs)).slice(0, 10);
    return day === draft.start.slice(0, 10) && !draft.allDay
      ? clockTime(times, zone, labels, t('calendar.allDay'))
      : fullTime(times, zone, labels, t('calendar.allDay'));
  };
  const shiftTo = ({ startMs }: Span) => {
    const [from, to] = [localMs(draft.start), localMs(draft.end)];
    if (from === null || to === null) return;
    const wall = zone.toLocal(startMs);
    // Whole days keep the hours that stand behind them.
    const startWall = draft.allDay ? wall + (from % dayMs) : wall;
    onChange({ ...draft, start: printMinute(startWall), end: printMinute(startWall + to - from) });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls, these are ways on
    <div role="group" className={styles.free} aria-label={label}>
      <span className={styles.names} aria-hidden="true">
        {label}
      </span>
      {free.map((span) => (
        <button key={span.startMs} type="button" className={styles.time} onClick={() => shiftTo(span)}>
          {textOf(span)}
        </button>
      ))}
    </div>
  );
}

function allDayOf(startMs: number, endMs: number, zone: string) {
  const day = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString();
  return { firstDay: day(startMs), endDay: day(endMs) };
}

const msOf = (iso: string) => Temporal.Instant.from(iso).epochMilliseconds;
const isoOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
