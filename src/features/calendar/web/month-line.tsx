import { type CSSProperties, memo } from 'react';
import { type CardWords, type MarkWords, spokenDetails } from './card-words.ts';
import { EventTitle, looksOf } from './event-card.tsx';
import type { GridEvent } from './grid-event.ts';
import styles from './month-view.module.css';

export interface MonthLineProps {
  event: GridEvent;
  /** The day's place in the month, for the keyboard, and in its week. */
  place: number;
  column: number;
  slot: number;
  startMinute: number;
  /** `8:15 – 10:15 AM`, spoken. */
  time: string;
  /** `8:15 AM` */
  shortTime: string;
  isPast: boolean;
  conflict: MarkWords | undefined;
  words: CardWords;
}

/** One event of a few hours in a month: a dot of its calendar, what, and where there is room, when. */
export const MonthLine = memo(function MonthLine(props: MonthLineProps) {
  const { event, isPast, conflict, words } = props;
  const style: CSSProperties & Record<`--${string}`, string | number> = {
    '--hf-event': event.color,
    gridColumn: props.column + 2,
    gridRow: props.slot + 2,
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.line}
      style={style}
      data-event={event.id}
      data-column={props.place}
      data-minute={props.startMinute}
      aria-haspopup="dialog"
      {...looksOf(event, isPast, conflict)}
    >
      <i className={styles.dot} />
      <span className={styles.title} dir="auto">
        <EventTitle event={event} words={words} />
      </span>{' '}
      <span className={styles.time} aria-hidden="true">
        {props.shortTime}
      </span>
      <span className="hf-sr-only">
        {', '}
        {props.time}
        {', '}
        {spokenDetails(event, words, { isPast, conflict, continuesBefore: false, continuesAfter: false })}
      </span>
    </button>
  );
});
