import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type ToggleEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#ui/button.tsx';
import { MiniMonth, type MiniMonthProps } from '#ui/dates/mini-month.tsx';
import { monthOf } from '../shown-range.ts';
import type { TimeLabels } from '../time-labels.ts';
import styles from './date-picker.module.css';

export interface DatePickerProps extends MiniMonthProps {
  labels: TimeLabels;
  /** The button that it hangs from. */
  anchor: HTMLElement;
  onClose: () => void;
}

const months = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/** The twelve months of a year and the days of one: any day is three presses away. */
export function DatePicker({ anchor, onClose, ...month }: DatePickerProps) {
  const { t } = useTranslation();
  const popover = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = popover.current;
    if (element === null) return;
    const { left, right, bottom } = anchor.getBoundingClientRect();
    element.showPopover?.();
    const isRtl = getComputedStyle(anchor).direction === 'rtl';
    const start = isRtl ? right - element.offsetWidth : left;
    const most = window.innerWidth - element.offsetWidth - edgePx;
    element.style.setProperty('--x', `${Math.max(edgePx, Math.min(start, most))}px`);
    element.style.setProperty('--y', `${bottom + edgePx}px`);
    element.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [anchor]);
  const { day, labels, onDay } = month;
  const date = new Temporal.PlainDate(1970, 1, 1).add({ days: day });
  const firstOf = (index: number) => day + stepsTo(date, date.with({ month: index + 1, day: 1 }));
  const toYear = (way: -1 | 1) => onDay(day + stepsTo(date, date.add({ years: way })));
  return (
    <div
      ref={popover}
      popover="auto"
      role="dialog"
      aria-label={t('calendar.pickDate')}
      className={styles.picker}
      onToggle={(event: ToggleEvent<HTMLElement>) => {
        if (event.newState === 'closed') onClose();
      }}
    >
      <div className={styles.head}>
        <IconButton label={t('calendar.earlierYear')} onClick={() => toYear(-1)}>
          <IconChevronLeft size={16} aria-hidden />
        </IconButton>
        <p className={styles.year} aria-live="polite">
          {date.year}
        </p>
        <IconButton label={t('calendar.laterYear')} onClick={() => toYear(1)}>
          <IconChevronRight size={16} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.months}>
        {months.map((index) => {
          const first = firstOf(index);
          return (
            <button
              key={index}
              type="button"
              className={styles.month}
              aria-pressed={monthOf(day).firstDay === first}
              data-now={monthOf(month.today).firstDay === first || undefined}
              onClick={() => onDay(first)}
            >
              {labels.monthName(first)}
            </button>
          );
        })}
      </div>
      <MiniMonth
        {...month}
        onDay={(next) => {
          onDay(next);
          popover.current?.hidePopover?.();
        }}
      />
    </div>
  );
}

const edgePx = 8;

function stepsTo(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return from.until(to, { largestUnit: 'days' }).days;
}
