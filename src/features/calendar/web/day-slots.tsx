import { memo } from 'react';
import type { TimeLabels } from './time-labels.ts';
import styles from './week-grid.module.css';

const hours = Array.from({ length: 24 }, (_, hour) => hour);

export interface DaySlotsProps {
  column: number;
  dayNumber: number;
  labels: TimeLabels;
  /** What choosing one does. */
  label: string;
}

/** The empty hours of a day, each a way to a new event; one of the grid's is in the tab order (`roving-focus.ts`). */
export const DaySlots = memo(function DaySlots({ column, dayNumber, labels, label }: DaySlotsProps) {
  const day = labels.longDay(dayNumber);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls, this groups the hours of a day
    <div role="group" aria-label={label} className={styles.slots}>
      {hours.map((hour) => (
        <button
          key={hour}
          type="button"
          tabIndex={-1}
          className={styles.slot}
          data-slot
          data-column={column}
          data-minute={hour * 60}
          aria-label={`${day}, ${labels.hour(hour)}`}
        />
      ))}
    </div>
  );
});
