import type { CSSProperties } from 'react';
import { type CardWords, shownTitle, spokenDetails } from './card-words.ts';
import styles from './event-card.module.css';
import type { GridEvent } from './grid-event.ts';

export interface MirrorEdgeProps {
  /** One block, or a run of them. */
  blocks: readonly GridEvent[];
  column: number;
  /** Minute of the day at which they begin; -1: over the whole day. */
  minute: number;
  style: CSSProperties;
  /** `9:00 – 11:45 AM` */
  time: string;
  isPast: boolean;
  words: CardWords;
}

/** Blocks of ours as a hatched edge at the end of the day: one opens its card, several open their list. */
export function MirrorEdge({ blocks, column, minute, time, ...props }: MirrorEdgeProps) {
  const { words, isPast } = props;
  const [first, ...others] = blocks;
  if (first === undefined) return null;
  const calendars = [...new Set(blocks.map((block) => block.calendarName))];
  const origins = blocks.flatMap((block) => (block.mirrorOf === undefined ? [] : [shownTitle(block, words)]));
  const details = spokenDetails(first, words, {
    isPast,
    conflict: undefined,
    continuesBefore: false,
    continuesAfter: false,
  });
  const label =
    others.length === 0
      ? `${shownTitle(first, words)} ${time}, ${details}`
      : [`${words.blockedIn(calendars)}, ${time}`, ...new Set(origins)].join(', ');
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.edge}
      style={props.style}
      data-column={column}
      data-minute={minute}
      data-past={isPast || undefined}
      {...(others.length === 0 ? { 'data-event': first.id } : { 'data-more': minute, 'data-rail': true })}
      aria-haspopup="dialog"
      aria-label={label}
      title={others.length === 0 ? undefined : `${words.blockedIn(calendars)}, ${time}`}
    />
  );
}
