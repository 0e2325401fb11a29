import { memo, useId } from 'react';
import type { TimeLabels } from './time-labels.ts';
import styles from './week-grid.module.css';

const hours = Array.from({ length: 24 }, (_, hour) => hour);

export interface DaySlotsProps {
  column: number;
  dayNumber: number;
  labels: TimeLabels;
  /** Accessible name of each slot: the action of choosing it. */
  label: string;
}

/**
 * The empty hours of a day, each a way to a new event; one of the grid's is in the tab order (`roving-focus.ts`). Each is
 * named by its day's words and its own, so that another week changes one text a day and no button.
 */
export const DaySlots = memo(function DaySlots({ column, dayNumber, labels, label }: DaySlotsProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls, this groups the hours of a day
    <div role="group" aria-label={label} className={styles.slots}>
      <span id={id} hidden>
        {labels.longDay(dayNumber)},
      </span>
      {hours.map((hour) => (
        <button
          key={hour}
          id={id + hour}
          type="button"
          tabIndex={-1}
          className={styles.slot}
          data-slot
          data-column={column}
          data-minute={hour * 60}
          aria-label={labels.hour(hour)}
          aria-labelledby={`${id} ${id}${hour}`}
        />
      ))}
    </div>
  );
});
