import { memo } from 'react';
import type { CardWords } from './card-words.ts';
import { EventCard } from './event-card.tsx';
import { drawnSpan } from './layout-day.ts';
import { MirrorRail } from './mirror-rail.tsx';
import type { DayPlan } from './place-week.ts';
import type { TimeLabels } from './time-labels.ts';
import styles from './week-grid.module.css';

export interface DayColumnProps {
  column: number;
  layout: DayPlan;
  /** `Friday, November 20, today, 5 events` */
  label: string;
  hourPx: number;
  narrowBelow: number;
  minMinutes: number;
  labels: TimeLabels;
  words: CardWords;
  countLabel: (what: 'moreEvents' | 'mirrorBlocks', count: number, minute: number) => string;
  /** Events that end at or before this instant are over; the same for all columns but those that the minute changes. */
  pastMs: number;
  conflictOf: (eventId: string) => string | undefined;
}

/** The events of one day, in order of time for those who listen or tab. */
export const DayColumn = memo(function DayColumn(props: DayColumnProps) {
  const { column, layout, hourPx, minMinutes, labels, words } = props;
  // Only the runs of events that stand beside a mirror give it room.
  const besideRail = layout.clusters.map((cluster) =>
    layout.rails.some((rail) => rail.startMinute < cluster.endMinute && cluster.startMinute < rail.endMinute),
  );
  const events = layout.placed.map((placed) => {
    const { item } = placed;
    const box = drawnSpan(item, minMinutes);
    return {
      at: item.startMinute,
      drawn: (
        <EventCard
          key={item.event.id}
          segment={item}
          column={column}
          topHours={box.top / 60}
          heightHours={(box.bottom - box.top) / 60}
          left={(placed.column / placed.columns) * 100}
          width={(placed.span / placed.columns) * 100}
          gutter={placed.gutter}
          besideRail={besideRail[placed.cluster] ?? false}
          hourPx={hourPx}
          narrowBelow={props.narrowBelow}
          time={labels.range(item.clockStart, item.clockEnd)}
          isPast={item.event.endMs <= props.pastMs}
          conflict={props.conflictOf(item.event.id)}
          words={words}
        />
      ),
    };
  });
  const chips = layout.more.map(({ startMinute, items, cluster }) => ({
    at: startMinute,
    drawn: (
      <button
        key={`more ${startMinute}`}
        type="button"
        tabIndex={-1}
        className={styles.more}
        style={{ top: `calc(${startMinute / 60} * var(--hf-hour-row))` }}
        data-beside-rail={besideRail[cluster] || undefined}
        data-more={startMinute}
        data-column={column}
        data-minute={startMinute}
        aria-haspopup="dialog"
        aria-label={`+${items.length} ${props.countLabel('moreEvents', items.length, startMinute)}`}
      >
        +{items.length}
      </button>
    ),
  }));
  const rails = layout.rails.map((rail) => ({
    at: rail.startMinute,
    drawn: (
      <MirrorRail
        key={`rail ${rail.startMinute}`}
        rail={rail}
        column={column}
        isPast={rail.items.every((item) => item.event.endMs <= props.pastMs)}
        labels={labels}
        words={words}
        countLabel={props.countLabel}
        hourPx={hourPx}
      />
    ),
  }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls, this groups a day
    <div role="group" aria-label={props.label} className={styles.events}>
      {[...events, ...chips, ...rails].sort((a, b) => a.at - b.at).map(({ drawn }) => drawn)}
    </div>
  );
});
