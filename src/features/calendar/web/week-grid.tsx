import {
  type CSSProperties,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '#kernel/time/zones.ts';
import { AllDayRow } from './all-day-row.tsx';
import { cardWords } from './card-words.ts';
import { DayColumn } from './day-column.tsx';
import { fullTime } from './event-time.ts';
import type { GridEvent } from './grid-event.ts';
import { scrollToColumn, useFirstColumn, useScrollToNow, useSlide, useSwipeBeyond } from './grid-motion.ts';
import { NowLine } from './now-line.tsx';
import { type DayPlan, eventsBehind, placeWeek, type WeekPlan } from './place-week.ts';
import { keepOneTabStop, stopToward } from './roving-focus.ts';
import { SkeletonDay } from './skeleton-day.tsx';
import { offsetLabel, type TimeLabels, zoneLabel } from './time-labels.ts';
import { useFloatingCard } from './use-floating-card.ts';
import { wallTime } from './wall-clock.ts';
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
}

const loadGridCard = async () => ({ default: (await import('./grid-card.tsx')).GridCard });
const GridCard = lazy(loadGridCard);

const hours = Array.from({ length: 24 }, (_, hour) => hour);
/** A box of less than this share of a week's column holds no two words on a line. */
const narrowInWeek = 60;
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
  const railLabel = useCallback(
    (count: number, minute: number) => t('calendar.mirrorBlocks', { count, time: labels.minute(minute) }),
    [labels, t],
  );

  useLayoutEffect(() => {
    if (root.current !== null) keepOneTabStop(root.current);
  });
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
  useSwipeBeyond(scroller, props.onBeyond);
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

  const onKeyDown = (event: KeyboardEvent) => {
    if (root.current === null || !(event.target instanceof HTMLElement)) return;
    const next = stopToward(root.current, event.target, event.key, event.ctrlKey || event.metaKey);
    if (next === undefined) return;
    event.preventDefault();
    keepOneTabStop(root.current, next);
    next.focus();
  };

  return (
    <section
      className={styles.grid}
      aria-label={t('calendar.gridLabel')}
      aria-busy={props.loading || undefined}
      style={{ '--days': dayCount } as CSSProperties}
    >
      <div ref={scroller} className={styles.scroll}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys travel between the buttons inside */}
        <div
          ref={root}
          className={styles.sheet}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            if (event.target.dataset.column !== undefined) keepOneTabStop(event.currentTarget, event.target);
          }}
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
