import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '#kernel/time/zones.ts';
import { IconButton } from '#ui/button.tsx';
import type { CalendarView } from './calendar-search.ts';
import type { GridEvent } from './grid-event.ts';
import type { ShownDays } from './shown-range.ts';
import { splitEvent } from './split-event.ts';
import type { TimeLabels } from './time-labels.ts';
import { wallSpan } from './wall-clock.ts';
import styles from './week-strip.module.css';

export interface WeekStripProps {
  days: ShownDays;
  today: number;
  labels: TimeLabels;
  /** Events of the week; undefined where only one day is fetched. */
  events: readonly GridEvent[] | undefined;
  zone: Zone;
  /** Columns that the grid below shows, half-open. */
  shown: { from: number; to: number };
  onDay: (column: number) => void;
  view: CalendarView;
  onStep: (direction: -1 | 1) => void;
}

const dots = [1, 2, 3];
/** Phone: the week at a glance over the days in view; a tap goes to a day, the ends to the next and the last one. */
export function WeekStrip({ days, today, labels, events, zone, shown, onDay, view, onStep }: WeekStripProps) {
  const { t } = useTranslation();
  const loads = events && loadsOf(events, zone, days.firstDay, days.dayCount);
  return (
    <nav className={styles.strip} aria-label={t('calendar.weekStrip')}>
      <IconButton label={t(`calendar.previous.${view}`)} onClick={() => onStep(-1)}>
        <IconChevronLeft size={18} aria-hidden />
      </IconButton>
      {Array.from({ length: days.dayCount }, (_, column) => {
        const day = days.firstDay + column;
        const load = loads?.[column];
        return (
          <button
            key={day}
            type="button"
            className={styles.day}
            data-shown={(column >= shown.from && column < shown.to) || undefined}
            data-today={day === today || undefined}
            aria-current={day === today ? 'date' : undefined}
            onClick={() => onDay(column)}
          >
            <span className={styles.letter} aria-hidden="true">
              {labels.weekdayLetter(day)}
            </span>
            <span className={styles.date}>{labels.dayOfMonth(day)}</span>
            <span className={styles.dots} aria-hidden="true">
              {dots.slice(0, dotsFor(load ?? 0)).map((dot) => (
                <i key={dot} />
              ))}
            </span>
            <span className="hf-sr-only">
              {[labels.longDay(day), load !== undefined && t('calendar.eventCount', { count: load })]
                .filter(Boolean)
                .join(', ')}
            </span>
          </button>
        );
      })}
      <IconButton label={t(`calendar.next.${view}`)} onClick={() => onStep(1)}>
        <IconChevronRight size={18} aria-hidden />
      </IconButton>
    </nav>
  );
}

/** A light, a usual and a full day. */
function dotsFor(events: number): number {
  if (events === 0) return 0;
  return events <= 2 ? 1 : events <= 5 ? 2 : 3;
}

/** How many events touch each column. */
function loadsOf(events: readonly GridEvent[], zone: Zone, firstDay: number, dayCount: number): number[] {
  const loads = new Array<number>(dayCount).fill(0);
  for (const event of events) {
    const parts = splitEvent(wallSpan(zone, event), firstDay, dayCount);
    const columns = parts.kind === 'segments' ? parts.segments.map(({ column }) => column) : [];
    if (parts.kind === 'bar') for (let at = parts.bar.fromColumn; at < parts.bar.toColumn; at += 1) columns.push(at);
    for (const column of columns) loads[column] = (loads[column] ?? 0) + 1;
  }
  return loads;
}
