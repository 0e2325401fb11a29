import { type CSSProperties, memo } from 'react';
import { type CardWords, shownTitle, spokenDetails } from './card-words.ts';
import { CopyMark, hasTrouble } from './copy-mark.tsx';
import styles from './event-card.module.css';
import { Glyph } from './glyphs.tsx';
import type { GridEvent } from './grid-event.ts';
import type { EventBar, EventSegment } from './place-week.ts';

/** The looks of an event, as attributes that the style sheet reads. */
export function looksOf(event: GridEvent, isPast: boolean, conflict: string | undefined) {
  return {
    'data-mirror': event.isMirror || undefined,
    'data-tentative': event.isTentative || undefined,
    'data-declined': event.isDeclined || undefined,
    'data-free': event.isFree || undefined,
    'data-past': isPast || undefined,
    'data-editable': event.notEditable === undefined || undefined,
    'data-conflict': conflict !== undefined || undefined,
  };
}

function countMarks(event: GridEvent, conflict: string | undefined): number {
  return [conflict !== undefined, event.isMirror, hasLock(event), hasTrouble(event.copies)].filter(Boolean).length;
}

/** Blocks of ours are private as a rule; a lock on each would say nothing. */
function hasLock(event: GridEvent): boolean {
  return event.isPrivate && !event.isMirror;
}

interface EventTitleProps {
  event: GridEvent;
  conflict: string | undefined;
  words: CardWords;
  /** No room for "Mirror of": the link says it. */
  isNarrow?: boolean;
}

export function EventTitle({ event, conflict, words, isNarrow = false }: EventTitleProps) {
  const text = shownTitle(event, words);
  if (countMarks(event, conflict) === 0 && event.copies === undefined) return text;
  // One box around marks and text: a clamped title lays out each of its children on a line of its own.
  return (
    <span>
      {conflict === undefined ? null : <Glyph name="conflict" />}
      {event.isMirror ? <Glyph name="link" /> : null}
      {hasLock(event) ? <Glyph name="lock" /> : null}
      {/* Trouble comes first, where a short card cannot cut it off. */}
      {hasTrouble(event.copies) ? <CopyMark copies={event.copies} /> : null}
      {isNarrow && event.mirrorOf ? event.mirrorOf : text}
      {event.copies === undefined || hasTrouble(event.copies) ? null : (
        <>
          {' '}
          <CopyMark copies={event.copies} />
        </>
      )}
    </span>
  );
}

export interface EventCardProps {
  segment: EventSegment;
  column: number;
  /** Box in the day's column: top and height in hours, left and width in hundredths. */
  topHours: number;
  heightHours: number;
  left: number;
  width: number;
  gutter: boolean;
  /** Leaves room for the rail of mirrors. */
  besideRail: boolean;
  hourPx: number;
  /** Hundredths of the column under which a title gets one line. */
  narrowBelow: number;
  /** `8:15 – 10:15 AM` */
  time: string;
  isPast: boolean;
  conflict: string | undefined;
  words: CardWords;
}

/** Room at the end of a column: to breathe, or for the chips; and for the rail of mirrors. */
const edgePx = 4;
const chipsPx = 30;
const railPx = 26;

/**
 * One event in a day's column, named in full by an attribute: words that only readers hear are no elements, of which
 * a full week would have hundreds more. It has no handlers of its own: the grid listens once for all of them, and focus moves
 * by setting `tabindex` on the element, so that a week of a thousand events stays untouched by either.
 */
export const EventCard = memo(function EventCard(props: EventCardProps) {
  const { segment, hourPx, isPast, conflict, words } = props;
  const { event } = segment;
  const heightPx = props.heightHours * hourPx;
  const isLine = heightPx < 38;
  const roomPx = (props.gutter ? chipsPx : edgePx) + (props.besideRail ? railPx : 0);
  const style: CSSProperties & Record<`--${string}`, string | number> = {
    '--hf-event': event.color,
    // numbers, no variables: they would be read anew for every card of a week
    top: props.topHours * hourPx,
    height: heightPx - 2,
    insetInlineStart: `calc(${props.left}% - ${(roomPx * props.left) / 100}px)`,
    width: `calc(${props.width}% - ${(roomPx * props.width) / 100 + 2}px)`,
  };
  const isNarrow = props.width < props.narrowBelow;
  // Marks, one below the other, and title take the height; the time is still spoken, and in the card.
  const marks = countMarks(event, conflict);
  const hidesTime = isNarrow && !isLine && marks > 0 && heightPx < 38 + 16 * marks;
  // Title lines that fit above the time; one line leaves room for both only when they share it.
  if (!isLine && !isNarrow) style['--lines'] = Math.max(1, Math.floor((heightPx - 24) / 16));
  // The space is what its name has there: what is seen must be part of it, of a card that is scrolled out of sight too.
  const time = hidesTime ? null : <span className={styles.time}>{` ${props.time}`}</span>;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.card}
      style={style}
      data-event={event.id}
      data-column={props.column}
      data-minute={segment.startMinute}
      data-line={isLine || undefined}
      data-narrow={isNarrow || undefined}
      data-before={segment.continuesBefore || undefined}
      data-after={segment.continuesAfter || undefined}
      aria-haspopup="dialog"
      aria-label={`${shownTitle(event, words)} ${props.time}, ${spokenDetails(event, words, { isPast, conflict, ...segment })}`}
      {...looksOf(event, isPast, conflict)}
    >
      <span className={styles.title}>
        <EventTitle event={event} conflict={conflict} words={words} isNarrow={isNarrow} />
        {isLine ? time : null}
      </span>
      {isLine ? null : time}
    </button>
  );
});

export interface EventBarCardProps {
  bar: EventBar;
  /** Days that come before its first column: a month is several weeks. */
  columnsBefore?: number;
  isPast: boolean;
  conflict: string | undefined;
  words: CardWords;
  /** `All day`, or the days a long event goes over. */
  time: string;
}

/** One event in the all-day row. */
export const EventBarCard = memo(function EventBarCard(props: EventBarCardProps) {
  const { bar, isPast, conflict, words, time } = props;
  const { event } = bar;
  const style: CSSProperties & Record<`--${string}`, string | number> = {
    '--hf-event': event.color,
    gridColumn: `${bar.fromColumn + 2} / ${bar.toColumn + 2}`,
    gridRow: bar.row + 1,
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.bar}
      style={style}
      data-event={event.id}
      data-column={(props.columnsBefore ?? 0) + bar.fromColumn}
      data-minute={-1}
      data-before={bar.continuesBefore || undefined}
      data-after={bar.continuesAfter || undefined}
      aria-haspopup="dialog"
      aria-label={`${shownTitle(event, words)}, ${time}, ${spokenDetails(event, words, { isPast, conflict, ...bar })}`}
      {...looksOf(event, isPast, conflict)}
    >
      <span className={styles.title}>
        <EventTitle event={event} conflict={conflict} words={words} />
      </span>
    </button>
  );
});
