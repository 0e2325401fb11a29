import {
  type CSSProperties,
  lazy,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '#kernel/time/zones.ts';
import { AllDayRow } from './all-day-row.tsx';
import { cardWords } from './card-words.ts';
import { DayColumn } from './day-column.tsx';
import { DaySlots } from './day-slots.tsx';
import { drawnDays, hourAt, type NewRange } from './drag-times.ts';
import { fullTime } from './event-time.ts';
import type { GridEvent } from './grid-event.ts';
import { scrollToColumn, useFirstColumn, useScrollToNow, useSlide, useSwipeBeyond } from './grid-motion.ts';
import { NowLine } from './now-line.tsx';
import { type DayPlan, eventsBehind, placeWeek, type WeekPlan } from './place-week.ts';
import { SkeletonDay } from './skeleton-day.tsx';
import { allDayHour, readSlot } from './slot-cursor.ts';
import { offsetLabel, type TimeLabels, zoneLabel } from './time-labels.ts';
import { useFloatingCard } from './use-floating-card.ts';
import { useGridFocus } from './use-grid-focus.ts';
import { type EventTimes, wallTime } from './wall-clock.ts';
import styles from './week-grid.module.css';

export interface WeekGridProps {
  /** In order of time, see `toGridEvents`. */
  events: readonly GridEvent[];
  /** By event, the ids of those it conflicts with; of all that is visible, also what a search hides. */
  conflicts: ReadonlyMap<string, readonly string[]>;
  /** Titles for the words of conflicts. */
  titleOf: (eventId: string) => string | undefined;
  zone: Zone;
  /** Days since 1970-01-01 of the first column. */
  firstDay: number;
  dayCount: number;
  nowMs: number;
  labels: TimeLabels;
  /** Height of an hour: 56 comfortable, 40 compact. */
  hourPx: number;
  /** Events side by side before "+N". */
  maxColumns: number;
  /** Bars in the all-day row before "+N". */
  maxBarRows: number;
  /** Mirrors in a rail at each column's edge, or as boxes of their own. */
  slimMirrors: boolean;
  /** First answer not here yet: the frame stands, the events are still grey. */
  loading?: boolean;
  /** Changes when the person asks for now ("Today"): the grid scrolls there again. */
  scrollKey?: number;
  onDay: (dayNumber: number) => void;
  /** A swipe beyond the first or last day on a phone. */
  onBeyond: (direction: -1 | 1) => void;
  /** The first column in view, as a phone scrolls through the week. */
  onFirstColumn?: (column: number) => void;
  /** Filled by the grid: scrolls to a column. */
  goToColumn?: RefObject<((column: number) => void) | undefined>;
  renderMirrors: (event: GridEvent) => ReactNode;
  /** An empty hour was chosen, or a range drawn. `anchor`: the slot where it begins. Absent: nothing can be made here. */
  onCreate?: ((range: NewRange, anchor: HTMLElement) => void) | undefined;
  /** An event was dragged, or moved by keys: its new times, of the same length, or whole days. */
  onMove?: ((event: GridEvent, to: EventTimes) => void) | undefined;
  /** An event's end was dragged, or moved by keys. */
  onResize?: ((event: GridEvent, to: EventTimes) => void) | undefined;
  /** An event was chosen by click or Enter: its card opens. */
  onSelect?: ((event: GridEvent) => void) | undefined;
  /** `e` on an event. */
  onEdit?: ((event: GridEvent) => void) | undefined;
  /** Delete or Backspace on an event. */
  onDelete?: ((event: GridEvent) => void) | undefined;
}

const loadGridCard = async () => ({ default: (await import('./grid-card.tsx')).GridCard });
const GridCard = lazy(loadGridCard);

const hours = Array.from({ length: 24 }, (_, hour) => hour);
/** A box of less than this share of a week's column holds no two words on a line. */
const narrowInWeek = 60;
/** Where the slot cursor begins in a week without today. */
const firstHour = 9;
/** A box is never lower than this: a pointer target, and one line of text. */
const minBoxPx = { comfortable: 26, compact: 20 };

/** A week (or a day) of events on 24 wall-clock hours. */
export function WeekGrid(props: WeekGridProps) {
  const {
    events,
    conflicts,
    titleOf,
    zone,
    firstDay,
    dayCount,
    nowMs,
    labels,
    hourPx,
    maxColumns,
    maxBarRows,
    slimMirrors,
  } = props;
  const { t } = useTranslation();
  const words = useMemo(() => cardWords(t), [t]);
  const titleId = useId();
  const root = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const card = useFloatingCard(root);

  const minMinutes = ((hourPx < 56 ? minBoxPx.compact : minBoxPx.comfortable) / hourPx) * 60;
  const plan = useMemo(
    () => placeWeek(events, { zone, firstDay, dayCount, maxColumns, minMinutes, slimMirrors }),
    [events, zone, firstDay, dayCount, maxColumns, minMinutes, slimMirrors],
  );
  // Keyed by place, not by date: a change of week keeps the columns and exchanges what is in them.
  const columns = useMemo(() => Array.from({ length: dayCount }, (_, column) => column), [dayCount]);
  const now = wallTime(zone, nowMs);
  const nowColumn = now.dayNumber - firstDay;

  const conflictOf = useCallback(
    (eventId: string) => {
      const partners = conflicts.get(eventId);
      if (partners === undefined) return undefined;
      const names = partners.slice(0, 2).map((id) => titleOf(id) || words.untitled);
      return partners.length > 2
        ? t('calendar.conflictsWithMore', { names: names.join(', '), count: partners.length - 2 })
        : t('calendar.conflictsWith', { names: names.join(', ') });
    },
    [conflicts, titleOf, words, t],
  );
  const moreLabel = useCallback(
    (count: number, minute: number) => t('calendar.moreEvents', { count, time: labels.minute(minute) }),
    [labels, t],
  );
  const slotLabel = useCallback(
    (column: number) => `${labels.longDay(firstDay + column)}, ${t('calendar.allDay')}`,
    [firstDay, labels, t],
  );
  const railLabel = useCallback(
    (count: number, minute: number) => t('calendar.mirrorBlocks', { count, time: labels.minute(minute) }),
    [labels, t],
  );

  const { onCreate, onBeyond } = props;
  const focus = useGridFocus(root, {
    dayCount,
    firstSlot:
      nowColumn >= 0 && nowColumn < dayCount
        ? { column: nowColumn, hour: Math.floor(now.minute / 60) }
        : { column: 0, hour: firstHour },
    onBeyond,
  });
  const onClick = (event: MouseEvent) => {
    const anchor = event.target instanceof HTMLElement ? event.target : undefined;
    const slot = anchor && readSlot(anchor);
    if (anchor === undefined || slot === undefined) return;
    const day = firstDay + slot.column;
    onCreate?.(slot.hour === allDayHour ? drawnDays(day, day) : hourAt(zone, day, slot.hour), anchor);
  };
  useScrollToNow(scroller, {
    ready: props.loading !== true,
    key: props.scrollKey ?? 0,
    hourPx,
    dayCount,
    nowColumn,
    nowMinute: now.minute,
    firstMinute: firstMinuteOf(plan),
  });
  useSlide(scroller, firstDay);
  useFirstColumn(scroller, props.onFirstColumn);
  useImperativeHandle(props.goToColumn, () => (column: number) => scrollToColumn(scroller, column), []);
  useSwipeBeyond(scroller, onBeyond);
  // Fetched once the week stands, so that the first card opens at once.
  useEffect(() => void loadGridCard(), []);

  const eventById = useMemo(() => new Map(events.map((event) => [event.id, event])), [events]);
  const shownEvent = card.target?.kind === 'event' ? eventById.get(card.target.eventId) : undefined;
  const { close, target } = card;
  const shown =
    target?.kind === 'more'
      ? {
          dayNumber: firstDay + Number(target.anchor.dataset.column),
          events: eventsBehind(plan, target.anchor, maxBarRows),
        }
      : shownEvent;
  useEffect(() => {
    // The event went away (deleted elsewhere, filtered, another week) while its card was open.
    if (target !== undefined && !target.anchor.isConnected) close();
  });

  return (
    <section
      className={styles.grid}
      aria-label={t('calendar.gridLabel')}
      aria-busy={props.loading || undefined}
      style={{ '--days': dayCount } as CSSProperties}
    >
      <div ref={scroller} className={styles.scroll}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens for the buttons inside */}
        <div
          ref={root}
          className={styles.sheet}
          onClick={onClick}
          onKeyDown={focus.onKeyDown}
          onFocus={focus.onFocus}
          onBlur={focus.onBlur}
        >
          <div className={styles.top} data-head>
            <div className={styles.head}>
              <div className={styles.corner} data-corner title={zoneLabel(zone.id)}>
                <span className="hf-sr-only">{t('calendar.zoneIs', { zone: zoneLabel(zone.id) })} </span>
                {offsetLabel(zone, nowMs)}
              </div>
              {columns.map((column) => {
                const day = firstDay + column;
                return (
                  <button
                    key={column}
                    type="button"
                    className={styles.day}
                    data-day={day}
                    data-today={column === nowColumn || undefined}
                    aria-current={column === nowColumn ? 'date' : undefined}
                    aria-disabled={dayCount === 1 || undefined}
                    onClick={() => {
                      if (dayCount > 1) props.onDay(day);
                    }}
                  >
                    <span className={styles.weekday}>{labels.weekday(day)}</span>{' '}
                    <span className={styles.date}>{labels.dayOfMonth(day)}</span>
                    <span className="hf-sr-only"> {t('calendar.openDay', { day: labels.longDay(day) })}</span>
                  </button>
                );
              })}
            </div>
            <AllDayRow
              bars={plan.bars}
              barRows={plan.barRows}
              maxBarRows={maxBarRows}
              dayCount={dayCount}
              words={words}
              timeOf={(event) => fullTime(event, zone, labels, t('calendar.allDay'))}
              nowMs={nowMs}
              conflictOf={conflictOf}
              slotLabel={onCreate === undefined ? undefined : slotLabel}
            />
          </div>
          <div className={styles.body}>
            <div className={styles.gutter} aria-hidden="true">
              {hours.slice(1).map((hour) => (
                <span key={hour} style={{ top: `calc(${hour} * var(--hf-hour-row))` }}>
                  {labels.hour(hour)}
                </span>
              ))}
            </div>
            {columns.map((column) => {
              const day = firstDay + column;
              const layout = plan.days[column];
              if (layout === undefined) return null;
              const isToday = column === nowColumn;
              return (
                <div key={column} className={styles.column} data-slide data-today={isToday || undefined}>
                  {onCreate === undefined ? null : (
                    <DaySlots column={column} dayNumber={day} labels={labels} label={t('calendar.newEvent')} />
                  )}
                  {props.loading ? (
                    <SkeletonDay column={column} />
                  ) : (
                    <DayColumn
                      column={column}
                      layout={layout}
                      label={[
                        labels.longDay(day),
                        isToday && t('calendar.today'),
                        t('calendar.eventCount', { count: countOf(layout) }),
                      ]
                        .filter(Boolean)
                        .join(', ')}
                      hourPx={hourPx}
                      narrowBelow={dayCount === 1 ? 0 : narrowInWeek}
                      minMinutes={minMinutes}
                      labels={labels}
                      words={words}
                      moreLabel={moreLabel}
                      railLabel={railLabel}
                      pastMs={
                        column < nowColumn ? Number.POSITIVE_INFINITY : isToday ? nowMs : Number.NEGATIVE_INFINITY
                      }
                      conflictOf={conflictOf}
                    />
                  )}
                  {isToday ? (
                    <NowLine minute={now.minute} label={t('calendar.nowIs', { time: labels.minute(now.minute) })} />
                  ) : null}
                </div>
              );
            })}
          </div>
        </div>
      </div>
      {shown === undefined ? null : (
        <Suspense fallback={null}>
          <GridCard
            card={card}
            titleId={titleId}
            zone={zone}
            labels={labels}
            words={words}
            conflictOf={conflictOf}
            shown={shown}
            renderMirrors={props.renderMirrors}
          />
        </Suspense>
      )}
    </section>
  );
}

function countOf(day: DayPlan): number {
  return [...day.more, ...day.rails].reduce((sum, group) => sum + group.items.length, day.placed.length);
}

/** Where the first event begins; one that came over midnight would show an empty night. */
function firstMinuteOf(plan: WeekPlan): number | undefined {
  const starts = plan.days.flatMap((day) =>
    day.placed.flatMap(({ item }) => (item.continuesBefore ? [] : [item.startMinute])),
  );
  return starts.length === 0 ? undefined : Math.min(...starts);
}
