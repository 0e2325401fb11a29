import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bookingContract } from '#features/booking/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { Button } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { Inside } from '#ui/inside.tsx';
import { PlainSelect } from '#ui/plain-field.tsx';
import type { NewRange } from '../drag-times.ts';
import type { GridEvent } from '../grid-event.ts';
import type { TimeLabels } from '../time-labels.ts';
import type { CalendarPlace } from '../use-calendar-place.ts';
import { wallTime } from '../wall-clock.ts';
import { fitTimes, pickTimes } from './picked-times.ts';
import styles from './share-times.module.css';

const ShareTimesDialog = lazy(async () => ({ default: (await import('./share-times-dialog.tsx')).ShareTimesDialog }));

const api = createClient(bookingContract);
const lengths = [15, 20, 30, 45, 60, 90];

export type PickRange = (range: NewRange) => void;

/**
 * Times to offer somebody: while this is open, a click or drag on the grid picks times instead of creating an event.
 * Picked times are drawn over the columns; a click removes one.
 */
export function ShareTimes(props: {
  place: CalendarPlace;
  events: readonly GridEvent[];
  labels: TimeLabels;
  /** The grid gives what is drawn on it to this; undefined gives it back. */
  onPick: (pick: PickRange | undefined) => void;
}) {
  const { place, events, labels, onPick } = props;
  const { t } = useTranslation();
  const nowMs = useNowMs();
  const found = useQuery({
    queryKey: ['booking', 'types'],
    queryFn: ({ signal }) => api.listEventTypes({}, { signal }),
  });
  const types = found.data?.event_types ?? [];
  const [typeId, setTypeId] = useState<string>();
  const [length, setLength] = useState<number>();
  const [picked, setPicked] = useState<readonly number[]>([]);
  const [leftOut, setLeftOut] = useState(0);
  const [sharing, setSharing] = useState(false);
  const minutes = length ?? types[0]?.settings.durations_minutes[0] ?? 30;
  const busy = events.filter(({ blocks }) => blocks);
  const { zone, view, change } = place;
  const isGrid = view === 'week' || view === 'day';

  const pick: PickRange = ({ startWall, endWall, allDay }) => {
    if (allDay) return;
    const msOf = (wall: string) =>
      zone.toInstant(Temporal.PlainDateTime.from(wall).toZonedDateTime('UTC').epochMilliseconds);
    const next = pickTimes(picked, { startMs: msOf(startWall), endMs: msOf(endWall) }, { minutes, nowMs, busy });
    setPicked(next.picked);
    setLeftOut(next.leftOut);
  };
  const latest = useRef(pick);
  latest.current = pick;
  useEffect(() => {
    onPick((range) => latest.current(range));
    return () => onPick(undefined);
  }, [onPick]);
  useEffect(() => {
    if (!isGrid) change({ view: undefined }, true);
  }, [isGrid, change]);

  const drop = (startMs: number) => setPicked(picked.filter((other) => other !== startMs));
  const close = () => change({ share: undefined });
  return (
    <section className={styles.bar} aria-label={t('share.title')}>
      <p className={styles.texts}>
        <strong>{t('share.title')}</strong> <span className={styles.hint}>{t('share.hint')}</span>
      </p>
      <PlainSelect
        aria-label={t('share.length')}
        value={String(minutes)}
        data={[...new Set([...lengths, minutes])]
          .sort((one, other) => one - other)
          .map((one) => ({ value: String(one), label: t('share.minutes', { count: one }) }))}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          setLength(next);
          setPicked(fitTimes(picked, next, busy));
        }}
      />
      {types.length > 1 ? (
        <PlainSelect
          aria-label={t('share.type')}
          value={typeId ?? types[0]?.id ?? ''}
          data={types.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={(event) => setTypeId(event.currentTarget.value)}
        />
      ) : null}
      <span className={styles.count} role="status">
        {picked.length > 0 ? t('share.picked', { count: picked.length }) : ''}
        {leftOut > 0 ? ` ${t('share.leftOut', { count: leftOut })}` : ''}
      </span>
      <span className={styles.actions}>
        <Button variant="default" size="xs" onClick={close}>
          {t('share.close')}
        </Button>
        <Button size="xs" disabled={picked.length === 0} onClick={() => setSharing(true)}>
          {t('share.open')}
        </Button>
      </span>
      {isGrid ? <PickedBoxes picked={picked} minutes={minutes} place={place} labels={labels} onDrop={drop} /> : null}
      <Suspense>
        {sharing ? (
          <ShareTimesDialog
            starts={picked}
            minutes={minutes}
            eventTypeId={typeId ?? types[0]?.id}
            onClose={() => setSharing(false)}
          />
        ) : null}
      </Suspense>
    </section>
  );
}

/** Over the columns of the grid, which are the same elements from week to week. */
function PickedBoxes({
  picked,
  minutes,
  place,
  labels,
  onDrop,
}: {
  picked: readonly number[];
  minutes: number;
  place: CalendarPlace;
  labels: TimeLabels;
  onDrop: (startMs: number) => void;
}) {
  const { t } = useTranslation();
  const { zone, days } = place;
  const [columns, setColumns] = useState<readonly Element[]>([]);
  useLayoutEffect(() => {
    const now = [...document.querySelectorAll('[data-days] > [data-slide]')];
    if (now.length !== columns.length || now.some((column, at) => column !== columns[at])) setColumns(now);
  });
  return picked.map((startMs) => {
    const { dayNumber, minute } = wallTime(zone, startMs);
    const column = columns[dayNumber - days.firstDay];
    if (column === undefined) return null;
    const time = labels.range(minute, minute + minutes);
    return (
      <Inside key={startMs} element={column}>
        <button
          type="button"
          className={styles.picked}
          style={{
            top: `calc(${minute / 60} * var(--hf-hour-row))`,
            height: `calc(${Math.min(minutes, 1_440 - minute) / 60} * var(--hf-hour-row))`,
          }}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={(event) => {
            event.stopPropagation();
            onDrop(startMs);
          }}
        >
          <span>{labels.minute(minute)}</span>
          <span className="hf-sr-only">{t('share.drop', { day: labels.longDay(dayNumber), time })}</span>
          <IconX size={13} aria-hidden />
        </button>
      </Inside>
    );
  });
}
