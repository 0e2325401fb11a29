import { useTranslation } from 'react-i18next';
import type { CardWords, MarkWords } from './card-words.ts';
import { EventBarCard } from './event-card.tsx';
import type { GridEvent } from './grid-event.ts';
import { MirrorEdge } from './mirror-edge.tsx';
import { barsBehind, type DayPlan, type EventBar } from './place-week.ts';
import styles from './week-grid.module.css';

export interface AllDayRowProps {
  bars: readonly EventBar[];
  barRows: number;
  /** Rows in view; the rest is behind a chip. */
  maxBarRows: number;
  columns: readonly number[];
  days: readonly DayPlan[];
  words: CardWords;
  nowMs: number;
  timeOf: (event: GridEvent) => string;
  conflictOf: (eventId: string) => MarkWords | undefined;
  /** Label of an empty day in a column; absent where no event can be created. */
  slotLabel: ((column: number) => string) | undefined;
}

/** The row below the bars that go on past the end of a column; the first where there is none. */
function rowBeside(bars: readonly EventBar[], column: number, rows: number): number {
  const beyond = bars.filter(
    ({ fromColumn, toColumn, continuesAfter }) =>
      fromColumn <= column && (toColumn > column + 1 || (toColumn === column + 1 && continuesAfter)),
  );
  const row = beyond.reduce((most, bar) => Math.max(most, bar.row + 2), 1);
  return row > rows ? 1 : row;
}

/** All-day events above the hours. Hidden without events if none can be created here. */
export function AllDayRow(props: AllDayRowProps) {
  const { bars, barRows, maxBarRows, columns, words, nowMs, timeOf, conflictOf, slotLabel } = props;
  const { t } = useTranslation();
  if (bars.length === 0 && slotLabel === undefined) return null;
  const rows = Math.max(1, Math.min(barRows, maxBarRows + 1));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls, this groups events
    <div
      role="group"
      className={styles.allDay}
      style={{ gridTemplateRows: `repeat(${rows}, 24px)` }}
      aria-label={t('calendar.allDayEvents')}
    >
      <span className={styles.allDayLabel} aria-hidden="true">
        {t('calendar.allDayShort')}
      </span>
      {columns.map((column) =>
        slotLabel === undefined ? (
          <span key={column} className={styles.allDayColumn} style={{ gridColumn: column + 2 }} aria-hidden="true" />
        ) : (
          <button
            key={column}
            type="button"
            tabIndex={-1}
            className={styles.allDayColumn}
            style={{ gridColumn: column + 2 }}
            data-slot
            data-column={column}
            data-minute={-1}
            aria-label={slotLabel(column)}
          />
        ),
      )}
      {bars
        .filter((bar) => bar.row < maxBarRows)
        .map((bar) => (
          <EventBarCard
            key={bar.event.id}
            bar={bar}
            isPast={bar.event.endMs <= nowMs}
            conflict={conflictOf(bar.event.id)}
            words={words}
            time={timeOf(bar.event)}
          />
        ))}
      {props.days.map(({ dayBlocks }, column) =>
        dayBlocks.length === 0 ? null : (
          <MirrorEdge
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            key={column}
            blocks={dayBlocks}
            column={column}
            minute={-1}
            style={{ gridColumn: column + 2, gridRow: `${rowBeside(bars, column, rows)} / -1` }}
            time={t('calendar.allDay')}
            isPast={dayBlocks.every(({ endMs }) => endMs <= nowMs)}
            words={words}
          />
        ),
      )}
      <div className={styles.ghosts} data-ghosts="days" />
      {columns.map((column) => {
        const hidden = barsBehind(bars, column, maxBarRows);
        if (hidden.length === 0) return null;
        return (
          <button
            key={column}
            type="button"
            tabIndex={-1}
            className={styles.moreBars}
            style={{ gridColumn: column + 2, gridRow: maxBarRows + 1 }}
            data-more={-1}
            data-column={column}
            data-minute={-1}
            aria-haspopup="dialog"
          >
            +{hidden.length}
            <span className="hf-sr-only"> {t('calendar.moreAllDay', { count: hidden.length })}</span>
          </button>
        );
      })}
    </div>
  );
}
