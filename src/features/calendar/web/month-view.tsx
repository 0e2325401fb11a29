import { type CSSProperties, type KeyboardEvent, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '#kernel/time/zones.ts';
import { cardWords } from './card-words.ts';
import { drawnDays, type NewRange } from './drag-times.ts';
import type { EventMark } from './find-conflicts.ts';
import type { GridEvent } from './grid-event.ts';
import { keepMonthStop, monthStopToward } from './month-focus.ts';
import { MonthRow } from './month-row.tsx';
import styles from './month-view.module.css';
import { placeMonth, placesTo } from './place-month.ts';
import { keepOneTabStop } from './roving-focus.ts';
import type { ShownDays } from './shown-range.ts';
import type { TimeLabels } from './time-labels.ts';
import { useConflictWords } from './use-conflict-words.ts';
import { useMonthLines } from './use-month-lines.ts';
import { ViewCard } from './view-card.tsx';
import { wallTime } from './wall-clock.ts';

export interface MonthViewProps {
  events: readonly GridEvent[];
  /** The marks of events. */
  conflicts: ReadonlyMap<string, EventMark>;
  titleOf: (eventId: string) => string | undefined;
  zone: Zone;
  weeks: readonly ShownDays[];
  /** The days of the month itself; those around it are dimmed. */
  month: ShownDays;
  /** The day that the address names: where the keyboard begins. */
  day: number;
  nowMs: number;
  labels: TimeLabels;
  /** Leaves blocks of ours out. */
  slimMirrors: boolean;
  /** Search or filter leave events out. */
  isThinned: boolean;
  weekNumbers: boolean;
  /** First answer not here yet. */
  loading: boolean;
  onDay: (dayNumber: number) => void;
  onStep: (direction: -1 | 1) => void;
  onCreate?: ((range: NewRange, anchor: HTMLElement) => void) | undefined;
  renderMirrors: (event: GridEvent) => ReactNode;
}

/** A month of weeks: whole days as bars, the rest as lines, and what has no room behind "+N more". */
export function MonthView(props: MonthViewProps) {
  const { events, zone, weeks, month, day, nowMs, labels, slimMirrors, onCreate } = props;
  const { t } = useTranslation();
  const words = useMemo(() => cardWords(t), [t]);
  const conflictOf = useConflictWords(props.conflicts, props.titleOf);
  const root = useRef<HTMLDivElement>(null);
  const lines = useMonthLines(root, weeks.length);
  const plan = useMemo(() => {
    const shown = slimMirrors ? events.filter((event) => !event.isMirror) : events;
    return placeMonth(shown, { zone, weeks, slots: lines });
  }, [events, zone, weeks, lines, slimMirrors]);
  const today = wallTime(zone, nowMs).dayNumber;
  const daysInRow = weeks[0]?.dayCount ?? 7;
  const firstDay = weeks[0]?.firstDay ?? day;

  useLayoutEffect(() => {
    if (root.current !== null) keepMonthStop(root.current, day);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const element = root.current;
    if (element === null || !(event.target instanceof HTMLElement) || event.target.dataset.column === undefined) return;
    if (event.shiftKey || event.altKey) return;
    if (event.key === 'PageUp' || event.key === 'PageDown') {
      event.preventDefault();
      props.onStep(event.key === 'PageUp' ? -1 : 1);
      return;
    }
    const next = monthStopToward(element, event.target, event, daysInRow);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  const behind = (chip: HTMLElement) => {
    const column = Number(chip.dataset.column);
    const cell = plan[Math.floor(column / daysInRow)]?.cells[column % daysInRow];
    return { dayNumber: cell?.dayNumber ?? day, events: cell?.hidden ?? [] };
  };
  return (
    <section
      className={styles.month}
      aria-label={t('calendar.gridLabel')}
      aria-busy={props.loading || undefined}
      style={{ '--days': daysInRow, '--lines': lines, '--weeks': weeks.length } as CSSProperties}
      data-week-numbers={props.weekNumbers || undefined}
    >
      <div className={styles.head} aria-hidden="true">
        <span />
        {placesTo(daysInRow).map((column) => (
          <span key={column}>{labels.weekday(firstDay + column)}</span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens for the buttons inside */}
      <div
        ref={root}
        className={styles.weeks}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          if (event.target.dataset.column !== undefined) keepOneTabStop(event.currentTarget, event.target);
        }}
      >
        {placesTo(weeks.length).map((index) => (
          <MonthRow
            key={index}
            week={plan[index]}
            firstColumn={index * daysInRow}
            month={month}
            today={today}
            zone={zone}
            nowMs={nowMs}
            labels={labels}
            words={words}
            loading={props.loading}
            weekNumbers={props.weekNumbers}
            conflictOf={conflictOf}
            onDay={props.onDay}
            onEmpty={
              onCreate === undefined
                ? undefined
                : (dayNumber, anchor) => onCreate(drawnDays(dayNumber, dayNumber), anchor)
            }
          />
        ))}
      </div>
      <ViewCard
        root={root}
        events={events}
        behind={behind}
        zone={zone}
        labels={labels}
        words={words}
        conflictOf={conflictOf}
        renderMirrors={props.renderMirrors}
      />
    </section>
  );
}
