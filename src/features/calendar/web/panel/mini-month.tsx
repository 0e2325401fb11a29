import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#ui/button.tsx';
import { readingDirection } from '../reading-direction.ts';
import { monthOf, monthWeeks, type ShownDays, stepFrom } from '../shown-range.ts';
import type { TimeLabels } from '../time-labels.ts';
import styles from './mini-month.module.css';

export interface MiniMonthProps {
  /** The day that the calendar is on, today, and the days in view. */
  day: number;
  today: number;
  days: ShownDays;
  /** ISO: 1 Monday to 7 Sunday. */
  weekStart: number;
  labels: TimeLabels;
  onDay: (dayNumber: number) => void;
}

const weekdays = [0, 1, 2, 3, 4, 5, 6];
const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A month of days to go to: turned by its arrows, and by the keys within. */
export function MiniMonth({ day, today, days, weekStart, labels, onDay }: MiniMonthProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const [turned, setTurned] = useState({ from: day, at: day });
  const takesFocus = useRef(false);
  // Once the calendar goes elsewhere, so does this.
  const at = turned.from === day ? turned.at : day;
  const month = monthOf(at);
  const weeks = monthWeeks(at, { weekStart, weekends: true });
  const turnTo = (next: number) => setTurned({ from: day, at: next });
  useLayoutEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    root.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key];
    const isSideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    const next =
      step !== undefined
        ? at + step * (isSideways ? readingDirection(event.currentTarget) : 1)
        : event.key === 'PageUp' || event.key === 'PageDown'
          ? stepFrom(at, 'month', event.key === 'PageUp' ? -1 : 1)
          : undefined;
    if (next === undefined || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    takesFocus.current = true;
    turnTo(next);
  };
  const title = labels.month(month.firstDay, month.firstDay);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls, this groups days
    <div ref={root} role="group" className={styles.month} aria-label={title}>
      <div className={styles.head}>
        <p className={styles.title} aria-live="polite">
          {title}
        </p>
        <IconButton label={t('calendar.earlierMonth')} onClick={() => turnTo(stepFrom(at, 'month', -1))}>
          <IconChevronLeft size={16} aria-hidden />
        </IconButton>
        <IconButton label={t('calendar.laterMonth')} onClick={() => turnTo(stepFrom(at, 'month', 1))}>
          <IconChevronRight size={16} aria-hidden />
        </IconButton>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens for the buttons inside */}
      <div className={styles.days} onKeyDown={onKeyDown}>
        {weekdays.map((column) => (
          <span key={column} className={styles.weekday} aria-hidden="true">
            {labels.weekdayLetter((weeks[0]?.firstDay ?? 0) + column)}
          </span>
        ))}
        {weeks.flatMap(({ firstDay }) =>
          weekdays.map((column) => {
            const one = firstDay + column;
            return (
              <button
                key={one}
                type="button"
                className={styles.day}
                tabIndex={one === at ? 0 : -1}
                aria-label={labels.date(one)}
                aria-current={one === today ? 'date' : undefined}
                aria-pressed={one === day}
                data-beyond={one < month.firstDay || one >= month.firstDay + month.dayCount || undefined}
                data-shown={(one >= days.firstDay && one < days.firstDay + days.dayCount) || undefined}
                onClick={() => onDay(one)}
              >
                {labels.dayOfMonth(one)}
              </button>
            );
          }),
        )}
      </div>
    </div>
  );
}
