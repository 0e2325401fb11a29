import { type CSSProperties, memo } from 'react';
import { type CardWords, shownTitle, spokenDetails } from './card-words.ts';
import styles from './event-card.module.css';
import { Glyph } from './glyphs.tsx';
import type { Rail } from './merge-rails.ts';
import type { EventSegment } from './place-week.ts';
import type { TimeLabels } from './time-labels.ts';

export interface MirrorRailProps {
  rail: Rail<EventSegment>;
  column: number;
  isPast: boolean;
  labels: TimeLabels;
  words: CardWords;
  countLabel: (what: 'mirrorBlocks', count: number, minute: number) => string;
  hourPx: number;
}

/** Under this height the mark and the number stand side by side. */
const shortPx = 36;

/** Blocks that we wrote, slim beside the events they stand for: one opens its card, several open their list. */
export const MirrorRail = memo(function MirrorRail(props: MirrorRailProps) {
  const { rail, column, isPast, words, labels } = props;
  const [first] = rail.items;
  if (first === undefined) return null;
  const heightHours = (rail.endMinute - rail.startMinute) / 60;
  const style: CSSProperties & Record<`--${string}`, string | number> = {
    '--hf-event': first.event.color,
    '--top': rail.startMinute / 60,
    '--height': heightHours,
  };
  const shared = {
    type: 'button' as const,
    tabIndex: -1,
    className: styles.rail,
    style,
    'data-column': column,
    'data-minute': rail.startMinute,
    'data-past': isPast || undefined,
    'data-short': heightHours * props.hourPx < shortPx || undefined,
    'aria-haspopup': 'dialog' as const,
  };
  const count = rail.items.length;
  if (count > 1) {
    const words = [
      `${count} ${props.countLabel('mirrorBlocks', count, rail.startMinute)}`,
      ...originsOf(rail, props.words),
    ];
    return (
      <button {...shared} data-more={rail.startMinute} data-rail aria-label={words.join(', ')}>
        <Glyph name="link" />
        {count}
      </button>
    );
  }
  const details = spokenDetails(first.event, words, { isPast, conflict: undefined, ...first });
  const time = labels.range(first.clockStart, first.clockEnd);
  return (
    <button
      {...shared}
      data-event={first.event.id}
      aria-label={`${shownTitle(first.event, words)} ${time}, ${details}`}
    >
      <Glyph name="link" />
    </button>
  );
});

/** `Mirror of Budget`, once for each event. */
function originsOf(rail: Rail<EventSegment>, words: CardWords): string[] {
  const known = rail.items.filter((item) => item.event.mirrorOf !== undefined);
  return [...new Set(known.map((item) => shownTitle(item.event, words)))];
}
