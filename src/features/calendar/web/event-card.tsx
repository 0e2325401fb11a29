import { type CSSProperties, memo } from 'react';
import { type CardWords, type MarkWords, seenTitle, shownTitle, spokenDetails } from './card-words.ts';
import styles from './event-card.module.css';
import { Glyph } from './glyphs.tsx';
import type { GridEvent } from './grid-event.ts';
import type { CardText } from './layout/fit-title.ts';
import type { DayBox } from './layout/layout-day.ts';
import type { EventBar, EventSegment } from './place-week.ts';

/** The looks of an event, as attributes that the style sheet reads. */
export function looksOf(event: GridEvent, isPast: boolean, conflict: MarkWords | undefined) {
  return {
    'data-mirror': event.isMirror || undefined,
    'data-tentative': event.isTentative || undefined,
    'data-unanswered': event.isUnanswered || undefined,
    'data-declined': event.isDeclined || undefined,
    'data-free': event.isFree || undefined,
    'data-past': isPast || undefined,
    'data-editable': event.notEditable === undefined || undefined,
    'data-mark': conflict?.kind,
  };
}

/** Blocks of ours are private as a rule; a lock on each would say nothing. */
export function hasLock(event: GridEvent): boolean {
  return event.isPrivate && !event.isMirror;
}

/** The worst state among the blocks of an event; undefined where all are written. */
export function blockTrouble({ copies }: GridEvent): 'failed' | 'pending' | undefined {
  if (copies === undefined) return undefined;
  return copies.failed > 0 ? 'failed' : copies.pending > 0 ? 'pending' : undefined;
}

/** The title with its lock, and a broken link where not every block of it is written. */
export function EventTitle({ event, words }: { event: GridEvent; words: CardWords }) {
  const trouble = blockTrouble(event);
  return (
    <>
      {hasLock(event) ? <Glyph name="lock" /> : null}
      {trouble === undefined ? null : (
        <i className={styles.trouble} data-state={trouble}>
          <Glyph name="broken" />
        </i>
      )}
      {seenTitle(event, words)}
    </>
  );
}

export interface EventCardProps {
  segment: EventSegment;
  column: number;
  box: DayBox;
  /** Width of the cards' area, px; what its shares are taken of. */
  areaPx: number;
  text: CardText;
  /** Lies over another card. */
  isOver: boolean;
  /** `8:15 – 10:15 AM` */
  time: string;
  isPast: boolean;
  conflict: MarkWords | undefined;
  words: CardWords;
}

/**
 * One event in a day's column, named in full by an attribute: words that only readers hear are no elements, of which
 * a full week would have hundreds more. It has no handlers of its own: the grid listens once for all of them, and focus moves
 * by setting `tabindex` on the element, so that a week of a thousand events stays untouched by either.
 */
export const EventCard = memo(function EventCard(props: EventCardProps) {
  const { segment, box, areaPx, text, isPast, conflict, words } = props;
  const { event } = segment;
  const style: CSSProperties & Record<`--${string}`, string> = {
    '--hf-event': event.color,
    // numbers instead of variables, which would be computed for every card of a week
    top: box.top,
    height: box.bottom - box.top,
    insetInlineStart: `${(box.left / areaPx) * 100}%`,
    width: `${((box.right - box.left) / areaPx) * 100}%`,
    paddingTop: text.topPx,
  };
  const titleStyle: CSSProperties = text.isInLine && text.lines === 1 ? {} : { WebkitLineClamp: text.lines };
  // Drawn by the style sheet: the name has the whole time, of which this short form is no part.
  const time =
    text.time === undefined ? null : <span className={styles.time} data-time={text.time} aria-hidden="true" />;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.card}
      style={style}
      data-event={event.id}
      data-column={props.column}
      data-minute={segment.startMinute}
      data-small={text.isSmall || undefined}
      data-line={text.lines === 1 || undefined}
      data-over={props.isOver || undefined}
      data-cut={box.right < areaPx || undefined}
      data-before={segment.continuesBefore || undefined}
      data-after={segment.continuesAfter || undefined}
      aria-haspopup="dialog"
      aria-label={`${shownTitle(event, words)} ${props.time}, ${spokenDetails(event, words, { isPast, conflict, ...segment })}`}
      {...looksOf(event, isPast, conflict)}
    >
      {text.lines === 0 ? null : (
        <span className={styles.title} dir="auto" style={{ ...titleStyle, width: text.widthPx }}>
          <EventTitle event={event} words={words} />
          {text.isInLine ? time : null}
        </span>
      )}
      {text.isInLine ? null : time}
      {text.facts.map(({ text: fact, widthPx }) => (
        <span key={fact} className={styles.time} style={{ width: widthPx }} data-time={fact} aria-hidden="true" />
      ))}
    </button>
  );
});

export interface EventBarCardProps {
  bar: EventBar;
  /** Days that come before its first column: a month is several weeks. */
  columnsBefore?: number;
  isPast: boolean;
  conflict: MarkWords | undefined;
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
      <span className={styles.title} dir="auto">
        <EventTitle event={event} words={words} />
      </span>
    </button>
  );
});
