import {
  type CSSProperties,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '#kernel/time/zones.ts';
import { AllDayRow } from './all-day-row.tsx';
import { cardWords, seenTitle } from './card-words.ts';
import { DayColumn, lockPx } from './day-column.tsx';
import { DaySlots } from './day-slots.tsx';
import type { NewRange } from './drag-times.ts';
import { hasLock } from './event-card.tsx';
import { fullTime } from './event-time.ts';
import type { EventMark } from './find-conflicts.ts';
import type { GridEvent } from './grid-event.ts';
import { scrollToColumn, useFirstColumn, useScrollToNow, useSlide, useSwipeBeyond } from './grid-motion.ts';
import { padding } from './layout/fit-title.ts';
import { useDayArea } from './layout/use-day-area.ts';
import { NowLine } from './now-line.tsx';
import type { WallPart } from './off-hours.ts';
import { type DayPlan, type EventSegment, placeWeek, type WeekPlan } from './place-week.ts';
import { SkeletonDay } from './skeleton-day.tsx';
import type { TimeLabels } from './time-labels.ts';
import { useConflictWords } from './use-conflict-words.ts';
import { useGridFocus } from './use-grid-focus.ts';
import { useGridGestures } from './use-grid-gestures.ts';
import type { CardHandle } from './view-card.tsx';
import { type EventTimes, wallTime } from './wall-clock.ts';
import styles from './week-grid.module.css';
import { HourGutter, ZoneCorner } from './zone-gutter.tsx';

export interface WeekGridProps {
  /** In order of time, see `toGridEvents`. */
  events: readonly GridEvent[];
  /** All that is visible, also what a search hides: what a drag may conflict with. Absent: `events`. */
  visibleEvents?: readonly GridEvent[];
  /** The marks of events; of all that is visible, also what a search hides. */
  conflicts: ReadonlyMap<string, EventMark>;
  /** Titles for the words of conflicts. */
  titleOf: (eventId: string) => string | undefined;
  zone: Zone;
  /** Zones whose hours stand beside those of `zone`. */
  moreZones?: readonly Zone[];
  /** Asks for other zones. */
  onZones?: (() => void) | undefined;
  /** Hours of a day outside the working hours, drawn shaded. */
  offHours?: (dayNumber: number) => readonly WallPart[];
  /** Days since 1970-01-01 of the first column. */
  firstDay: number;
  dayCount: number;
  nowMs: number;
  labels: TimeLabels;
  /** Height of an hour: 56 comfortable, 40 compact. */
  hourPx: number;
  /** Bars in the all-day row before "+N". */
  maxBarRows: number;
  /** Blocks of ours at the end of each day, or as cards of their own. */
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

const WeekCard = lazy(async () => ({ default: (await import('./week-card.tsx')).WeekCard }));

const none: readonly Zone[] = [];
/** The least height of a card: one line of text. */
const minHeightPx = 20;
const minCompactPx = 17;
/** The least width of a card: of a week, of three days on a phone, and of a day. */
const minWidthPx = { week: 60, phone: 54, day: 120 };

/** A week (or a day) of events on 24 wall-clock hours. */
export function WeekGrid(props: WeekGridProps) {
  const { events, conflicts, titleOf, zone, firstDay, dayCount, nowMs, labels, hourPx, maxBarRows, slimMirrors } =
    props;
  const { t } = useTranslation();
  const words = useMemo(() => cardWords(t), [t]);
  const zones = { zone, moreZones: props.moreZones ?? none, days: { firstDay, dayCount }, labels };
  const root = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const spoken = useRef<HTMLParagraphElement>(null);
  const card = useRef<CardHandle>(null);

  const area = useDayArea(root, dayCount);
  const plan = useMemo(() => {
    if (area === undefined) return nothing;
    const { widthPx, widths } = area;
    const isWideDay = dayCount === 1 && widthPx >= 4 * minWidthPx.day;
    return placeWeek(events, {
      zone,
      firstDay,
      dayCount,
      slimMirrors,
      widthPx,
      hourPx,
      minHeightPx: hourPx < 56 ? minCompactPx : minHeightPx,
      minWidthPx: isWideDay ? minWidthPx.day : widthPx < 120 ? minWidthPx.phone : minWidthPx.week,
      maxBeside: isWideDay ? 6 : 3,
      titlePx: ({ event }: EventSegment) =>
        padding.start + padding.end + (hasLock(event) ? lockPx : 0) + widths.of('title', seenTitle(event, words)) + 1,
    });
  }, [area, events, zone, firstDay, dayCount, hourPx, slimMirrors, words]);
  // Keyed by place, not by date: a change of week keeps the columns and their hours, and exchanges the events as one.
  const columns = useMemo(() => Array.from({ length: dayCount }, (_, column) => column), [dayCount]);
  const now = wallTime(zone, nowMs);
  const nowColumn = now.dayNumber - firstDay;

  const conflictOf = useConflictWords(conflicts, titleOf);
  const countLabel = useCallback(
    (count: number, minute: number) => t('calendar.moreEvents', { count, time: labels.minute(minute) }),
    [labels, t],
  );
  const slotLabel = useCallback(
    (column: number) => `${labels.longDay(firstDay + column)}, ${t('calendar.allDay')}`,
    [firstDay, labels, t],
  );

  const { onCreate, onBeyond } = props;
  const focus = useGridFocus(root, { dayCount, nowColumn, nowMinute: now.minute, onBeyond });
  useScrollToNow(scroller, {
    ready: props.loading !== true && area !== undefined,
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
  useGridGestures(root, {
    ...props,
    t,
    eventOf: (eventId) => events.find(({ id }) => id === eventId),
    closeCard: () => card.current?.close(),
    say: (...sentences) => {
      if (spoken.current !== null) spoken.current.textContent = sentences.filter(Boolean).join('. ');
    },
  });

  return (
    <section
      className={styles.grid}
      data-grid
      aria-label={t('calendar.gridLabel')}
      aria-busy={props.loading || undefined}
      style={{ '--days': dayCount, '--zones': zones.moreZones.length } as CSSProperties}
    >
      <div ref={scroller} className={styles.scroll}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys travel between the buttons inside */}
        <div
          ref={root}
          className={styles.sheet}
          data-roving
          onKeyDown={focus.onKeyDown}
          onFocus={focus.onFocus}
          onBlur={focus.onBlur}
        >
          <div className={styles.top} data-head>
            <div className={styles.head}>
              <ZoneCorner {...zones} {...(props.onZones && { onZones: props.onZones })} />
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
              columns={columns}
              days={plan.days}
              words={words}
              timeOf={(event) => fullTime(event, zone, labels, t('calendar.allDay'))}
              nowMs={nowMs}
              conflictOf={conflictOf}
              slotLabel={onCreate === undefined ? undefined : slotLabel}
            />
          </div>
          <div className={styles.body}>
            <HourGutter {...zones} nowMinute={nowColumn >= 0 && nowColumn < dayCount ? now.minute : undefined} />
            <div className={styles.days} data-days>
              {columns.map((column) => {
                const day = firstDay + column;
                const layout = plan.days[column];
                const isToday = column === nowColumn;
                return (
                  <div key={column} className={styles.column} data-slide data-today={isToday || undefined}>
                    {props.offHours?.(day).map(({ startMinute, endMinute }) => (
                      <span
                        key={startMinute}
                        className={styles.off}
                        style={{
                          top: `calc(${startMinute / 60} * var(--hf-hour-row))`,
                          height: `calc(${(endMinute - startMinute) / 60} * var(--hf-hour-row))`,
                        }}
                      />
                    ))}
                    {onCreate === undefined ? null : (
                      <DaySlots column={column} dayNumber={day} labels={labels} label={t('calendar.newEvent')} />
                    )}
                    {props.loading ? (
                      <SkeletonDay column={column} />
                    ) : layout === undefined || area === undefined ? null : (
                      <DayColumn
                        key={day}
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
                        areaPx={area.widthPx}
                        widths={area.widths}
                        labels={labels}
                        words={words}
                        countLabel={countLabel}
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
            <div className={styles.ghosts} data-ghosts="hours" />
          </div>
        </div>
      </div>
      {/* Left empty here: drags and keys write what they did. */}
      <p ref={spoken} role="status" className="hf-sr-only" data-spoken />
      <Suspense>
        <WeekCard
          root={root}
          handle={card}
          events={events}
          plan={plan}
          firstDay={firstDay}
          maxBarRows={maxBarRows}
          zone={zone}
          labels={labels}
          words={words}
          conflictOf={conflictOf}
          renderMirrors={props.renderMirrors}
          onSelect={props.onSelect}
        />
      </Suspense>
    </section>
  );
}

const nothing: WeekPlan = { days: [], bars: [], barRows: 0 };

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
