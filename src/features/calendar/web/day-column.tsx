import { memo } from 'react';
import { type CardWords, cardFacts, type MarkWords, seenTitle } from './card-words.ts';
import { blockTrouble, EventCard, hasLock } from './event-card.tsx';
import { fitTitle } from './layout/fit-title.ts';
import { chip, type DayBox } from './layout/layout-day.ts';
import type { TextWidths } from './layout/text-width.ts';
import { MirrorEdge } from './mirror-edge.tsx';
import type { DayPlan } from './place-week.ts';
import type { TimeLabels } from './time-labels.ts';
import styles from './week-grid.module.css';

export interface DayColumnProps {
  column: number;
  layout: DayPlan;
  /** `Friday, November 20, today, 5 events` */
  label: string;
  hourPx: number;
  /** Width of the cards' area, px. */
  areaPx: number;
  widths: TextWidths;
  labels: TimeLabels;
  words: CardWords;
  countLabel: (count: number, minute: number) => string;
  /** Events that end at or before this instant are over; the same for all columns but those that the minute changes. */
  pastMs: number;
  conflictOf: (eventId: string) => MarkWords | undefined;
}

/** The lock and its gap; the broken link. */
export const lockPx = 14;
const troublePx = 14;

/** The events of one day, in order of time for those who listen or tab. */
export const DayColumn = memo(function DayColumn(props: DayColumnProps) {
  const { column, layout, areaPx, hourPx, labels, words } = props;
  const { placed } = layout;
  const chips = layout.more.map(
    (more): DayBox => ({
      left: areaPx - chip.width,
      right: areaPx,
      top: more.top,
      bottom: more.top + chip.height,
    }),
  );
  let at = 0;
  const cards = placed.map((box, index) => {
    const { item } = box;
    // The order of painting, which within a quarter of an hour is not that of time.
    at = Math.max(at, item.startMinute);
    const isCut = box.right < areaPx;
    const over = [...placed.slice(index + 1), ...chips].filter((other) => touches(box, other));
    const [start, end] = [item.clockStart, item.clockEnd];
    const text = fitTitle(isCut ? { ...box, right: box.right - 2 } : box, over, {
      title: seenTitle(item.event, words),
      times: start === end ? [labels.short(start)] : [labels.shortRange(start, end), labels.short(start)],
      // A week has no room for them.
      facts: areaPx < 480 ? [] : cardFacts(item.event),
      leadPx: hasLock(item.event) ? lockPx : 0,
      trailPx: blockTrouble(item.event) === undefined ? 0 : troublePx,
      widths: props.widths,
    });
    return {
      at,
      drawn: (
        <EventCard
          key={item.event.id}
          segment={item}
          column={column}
          box={box}
          areaPx={areaPx}
          text={text}
          isOver={placed.slice(0, index).some((other) => touches(box, other))}
          time={labels.range(start, end)}
          isPast={item.event.endMs <= props.pastMs}
          conflict={props.conflictOf(item.event.id)}
          words={words}
        />
      ),
    };
  });
  const more = layout.more.map(({ startMinute, top, items }) => ({
    at: startMinute,
    drawn: (
      <button
        key={`more ${startMinute}`}
        type="button"
        tabIndex={-1}
        className={styles.more}
        style={{ top }}
        data-more={startMinute}
        data-column={column}
        data-minute={startMinute}
        aria-haspopup="dialog"
        aria-label={`+${items.length} ${props.countLabel(items.length, startMinute)}`}
      >
        +{items.length}
      </button>
    ),
  }));
  const edges = layout.rails.map(({ startMinute, endMinute, items }) => ({
    at: startMinute,
    drawn: (
      <MirrorEdge
        key={`edge ${startMinute}`}
        blocks={items.map(({ event }) => event)}
        column={column}
        minute={startMinute}
        style={{ top: (startMinute * hourPx) / 60, height: ((endMinute - startMinute) * hourPx) / 60 - 1 }}
        time={
          items.length === 1
            ? labels.range(items[0]!.clockStart, items[0]!.clockEnd)
            : labels.range(startMinute, endMinute)
        }
        isPast={items.every(({ event }) => event.endMs <= props.pastMs)}
        words={words}
      />
    ),
  }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls, this groups a day
    <div role="group" aria-label={props.label} className={styles.events}>
      {[...cards, ...more, ...edges].sort((a, b) => a.at - b.at).map(({ drawn }) => drawn)}
    </div>
  );
});

function touches(a: DayBox, b: DayBox): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
