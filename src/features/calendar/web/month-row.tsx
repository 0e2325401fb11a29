import { useTranslation } from 'react-i18next';
import type { Zone } from '#kernel/time/zones.ts';
import type { CardWords, MarkWords } from './card-words.ts';
import { EventBarCard } from './event-card.tsx';
import { clockTime, fullTime } from './event-time.ts';
import { MonthLine } from './month-line.tsx';
import styles from './month-view.module.css';
import type { MonthWeek } from './place-month.ts';
import { type ShownDays, weekNumber } from './shown-range.ts';
import type { TimeLabels } from './time-labels.ts';

export interface MonthRowProps {
  week: MonthWeek | undefined;
  /** Place of the first day in the month, for the keyboard. */
  firstColumn: number;
  month: ShownDays;
  today: number;
  zone: Zone;
  nowMs: number;
  labels: TimeLabels;
  words: CardWords;
  loading: boolean;
  weekNumbers: boolean;
  conflictOf: (eventId: string) => MarkWords | undefined;
  onDay: (dayNumber: number) => void;
  onEmpty: ((dayNumber: number, anchor: HTMLElement) => void) | undefined;
}

/** A month marks no overlaps, only what collides. */
const collision = (mark: MarkWords | undefined) => (mark?.kind === 'conflict' ? mark : undefined);

/** One week of a month; day by day in the document, so that it reads in order. */
export function MonthRow(props: MonthRowProps) {
  const { week, firstColumn, month, today, labels, words } = props;
  const { t } = useTranslation();
  if (week === undefined) return null;
  return (
    <div className={styles.week}>
      {props.weekNumbers ? (
        <span className={styles.weekNumber} title={t('calendar.weekNumber', { week: weekNumber(week) })}>
          <span aria-hidden="true">{weekNumber(week)}</span>
          <span className="hf-sr-only">{t('calendar.weekNumber', { week: weekNumber(week) })}</span>
        </span>
      ) : null}
      {week.cells.map((cell) => {
        const { column, dayNumber } = cell;
        const place = firstColumn + column;
        const isOutside = dayNumber < month.firstDay || dayNumber >= month.firstDay + month.dayCount;
        const isFirst = labels.dayOfMonth(dayNumber) === '1';
        const over = week.bars.filter((bar) => bar.fromColumn <= column && column < bar.toColumn);
        const count = over.length + cell.entries.length + cell.hidden.length;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls, this groups a day
          <div
            key={column}
            role="group"
            className={styles.day}
            aria-label={[
              labels.longDay(dayNumber),
              dayNumber === today && t('calendar.today'),
              t('calendar.eventCount', { count }),
            ]
              .filter(Boolean)
              .join(', ')}
          >
            {/* biome-ignore lint/a11y: a shortcut for pointers; by keyboard an event is made with the button "Create Event" */}
            <div
              className={styles.cell}
              style={{ gridColumn: column + 2 }}
              data-outside={isOutside || undefined}
              data-today={dayNumber === today || undefined}
              data-empty={props.onEmpty === undefined ? undefined : true}
              onClick={(event) => props.onEmpty?.(dayNumber, event.currentTarget)}
            />
            <div className={styles.number} style={{ gridColumn: column + 2 }}>
              <button
                type="button"
                tabIndex={-1}
                className={styles.date}
                data-day={dayNumber}
                data-column={place}
                data-minute={-3}
                data-outside={isOutside || undefined}
                data-today={dayNumber === today || undefined}
                aria-current={dayNumber === today ? 'date' : undefined}
                onClick={() => props.onDay(dayNumber)}
              >
                {isFirst ? labels.shortDay(dayNumber) : labels.dayOfMonth(dayNumber)}
                <span className="hf-sr-only"> {t('calendar.openDay', { day: labels.longDay(dayNumber) })}</span>
              </button>
            </div>
            {week.bars
              .filter((bar) => bar.fromColumn === column)
              .map((bar) => (
                <EventBarCard
                  key={bar.event.id}
                  // Below the day's number.
                  bar={{ ...bar, row: bar.row + 1 }}
                  columnsBefore={firstColumn}
                  isPast={bar.event.endMs <= props.nowMs}
                  conflict={collision(props.conflictOf(bar.event.id))}
                  words={words}
                  time={fullTime(bar.event, props.zone, labels, t('calendar.allDay'))}
                />
              ))}
            {cell.entries.map(({ event, slot, startMinute }) => (
              <MonthLine
                key={event.id}
                event={event}
                place={place}
                column={column}
                slot={slot}
                startMinute={startMinute}
                time={clockTime(event, props.zone, labels, t('calendar.allDay'))}
                shortTime={labels.short(startMinute)}
                isPast={event.endMs <= props.nowMs}
                conflict={collision(props.conflictOf(event.id))}
                words={words}
              />
            ))}
            {cell.hidden.length === 0 ? null : (
              <button
                type="button"
                tabIndex={-1}
                className={styles.more}
                style={{ gridColumn: column + 2 }}
                data-more="hidden"
                data-column={place}
                data-minute={1440}
                aria-haspopup="dialog"
              >
                {t('calendar.moreCount', { count: cell.hidden.length })}
              </button>
            )}
            {props.loading ? <span className={styles.ghost} style={{ gridColumn: column + 2 }} /> : null}
          </div>
        );
      })}
    </div>
  );
}
