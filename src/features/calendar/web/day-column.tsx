import { memo } from 'react';
import type { CardWords } from './card-words.ts';
import { EventCard } from './event-card.tsx';
import { drawnSpan, type MoreChip, type PlacedItem } from './layout-day.ts';
import type { Rail } from './merge-rails.ts';
import { MirrorRail } from './mirror-rail.tsx';
import type { DayPlan, EventSegment } from './place-week.ts';
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
  moreLabel: (count: number, minute: number) => string;
  railLabel: (count: number, minute: number) => string;
  /** Events that end at or before this instant are over; the same for all columns but those that the minute changes. */
  pastMs: number;
  conflictOf: (eventId: string) => string | undefined;
}

type Entry =
  | { kind: 'event'; at: number; placed: PlacedItem<EventSegment> }
  | { kind: 'chip'; at: number; chip: MoreChip<EventSegment> }
  | { kind: 'rail'; at: number; rail: Rail<EventSegment> };

/** The events of one day, in order of time for those who listen or tab. */
export const DayColumn = memo(function DayColumn(props: DayColumnProps) {
  const { column, layout, hourPx, minMinutes, labels, words } = props;
  const entries: Entry[] = [
    ...layout.placed.map((placed) => ({ kind: 'event' as const, at: placed.item.startMinute, placed })),
    ...layout.more.map((chip) => ({ kind: 'chip' as const, at: chip.startMinute, chip })),
    ...layout.rails.map((rail) => ({ kind: 'rail' as const, at: rail.startMinute, rail })),
  ].sort((a, b) => a.at - b.at);
  // Only the runs of events that stand beside a mirror give it room.
  const besideRail = layout.clusters.map((cluster) =>
    layout.rails.some((rail) => rail.startMinute < cluster.endMinute && cluster.startMinute < rail.endMinute),
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls, this groups a day
    <div role="group" aria-label={props.label} className={styles.events}>
      {entries.map((entry) => {
        if (entry.kind === 'rail') {
          return (
            <MirrorRail
              key={`rail ${entry.rail.startMinute}`}
              rail={entry.rail}
              column={column}
              isPast={entry.rail.items.every((item) => item.event.endMs <= props.pastMs)}
              labels={labels}
              words={words}
              railLabel={props.railLabel}
              hourPx={hourPx}
            />
          );
        }
        if (entry.kind === 'chip') {
          const { chip } = entry;
          return (
            <button
              key={`more ${chip.startMinute}`}
              type="button"
              tabIndex={-1}
              className={styles.more}
              style={{ top: `calc(${chip.startMinute / 60} * var(--hf-hour-row))` }}
              data-beside-rail={besideRail[chip.cluster] || undefined}
              data-more={chip.startMinute}
              data-column={column}
              data-minute={chip.startMinute}
              aria-haspopup="dialog"
            >
              +{chip.items.length}
              <span className="hf-sr-only"> {props.moreLabel(chip.items.length, chip.startMinute)}</span>
            </button>
          );
        }
        const { placed } = entry;
        const { item } = placed;
        const box = drawnSpan(item, minMinutes);
        return (
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
        );
      })}
    </div>
  );
});
