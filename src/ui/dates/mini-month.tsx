import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from '../button.tsx';
import { useWords } from '../words.tsx';
import styles from './mini-month.module.css';
import { monthOf, monthWeeks, type ShownDays, sameDayOfMonth } from './month.ts';
import { readingDirection } from './reading-direction.ts';

/** The words of a month: `November 2026`, `F`, `November 20, 2026`, `20`; days count from 1970-01-01. */
export interface MonthLabels {
  month(firstDay: number, lastDay: number): string;
  weekdayLetter(day: number): string;
  date(day: number): string;
  dayOfMonth(day: number): string;
}

export interface MiniMonthProps {
  /** The day that the calendar is on, today, and the days in view. */
  day: number;
  today: number;
  days: ShownDays;
  /** ISO: 1 Monday to 7 Sunday. */
  weekStart: number;
  labels: MonthLabels;
  onDay: (dayNumber: number) => void;
  /** Days that can be chosen; all without it. */
  isOpen?: ((dayNumber: number) => boolean) | undefined;
}

const weekdays = [0, 1, 2, 3, 4, 5, 6];
const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A month of days to go to: turned by its arrows, and by the keys within. */
export function MiniMonth({ day, today, days, weekStart, labels, onDay, isOpen = () => true }: MiniMonthProps) {
  const words = useWords();
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
          ? sameDayOfMonth(at, event.key === 'PageUp' ? -1 : 1)
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
        <IconButton label={words.earlierMonth} onClick={() => turnTo(sameDayOfMonth(at, -1))}>
          <IconChevronLeft size={16} aria-hidden />
        </IconButton>
        <IconButton label={words.laterMonth} onClick={() => turnTo(sameDayOfMonth(at, 1))}>
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
                aria-disabled={isOpen(one) ? undefined : true}
                data-beyond={one < month.firstDay || one >= month.firstDay + month.dayCount || undefined}
                data-shown={(one >= days.firstDay && one < days.firstDay + days.dayCount) || undefined}
                onClick={() => {
                  if (isOpen(one)) onDay(one);
                }}
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
