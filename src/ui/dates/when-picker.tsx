import { type KeyboardEvent, type ToggleEvent, useLayoutEffect, useRef } from 'react';
import { formatter } from '../format.ts';
import { usePreferences } from '../preferences.tsx';
import { useWords } from '../words.tsx';
import { keepsEscape } from './keeps-escape.ts';
import { MiniMonth, type MonthLabels } from './mini-month.tsx';
import { dateOf } from './month.ts';
import { showTime } from './parse-typed.ts';
import styles from './when-field.module.css';

export interface WhenPickerProps {
  kind: 'date' | 'time' | 'moment';
  value: string;
  min: string | undefined;
  max: string | undefined;
  /** `YYYY-MM-DD` */
  today: string;
  /** The field that it hangs from. */
  anchor: HTMLElement;
  onPick: (value: string) => void;
  onClose: () => void;
}

const edgePx = 8;
const halfHours = Array.from({ length: 48 }, (_, at) => `${String(at >> 1).padStart(2, '0')}:${at % 2 ? '30' : '00'}`);

/** A month to pick the day from, and a list of half hours: as the field has a date, a time, or both. */
export function WhenPicker({ kind, value, min, max, today, anchor, onPick, onClose }: WhenPickerProps) {
  const words = useWords();
  const preferences = usePreferences();
  const popover = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = popover.current;
    if (element === null) return;
    element.showPopover?.();
    const { left, right, top, bottom } = anchor.getBoundingClientRect();
    const isRtl = getComputedStyle(anchor).direction === 'rtl';
    const { offsetWidth: width, offsetHeight: height } = element;
    const x = Math.max(edgePx, Math.min(isRtl ? right - width : left, window.innerWidth - width - edgePx));
    const isAbove = bottom + height + edgePx > window.innerHeight && top > height + edgePx;
    const below = Math.max(edgePx, Math.min(bottom + 4, window.innerHeight - height - edgePx));
    element.style.setProperty('--x', `${x}px`);
    element.style.setProperty('--y', `${isAbove ? top - height - 4 : below}px`);
    element.querySelector('[data-near]')?.scrollIntoView?.({ block: 'center' });
    element.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [anchor]);
  const day = kind === 'time' ? '' : value.slice(0, 10);
  const time = kind === 'time' ? value : value.slice(11, 16);
  const todayAt = dayNumber(today);
  const dayAt = day === '' ? todayAt : dayNumber(day);
  const pickDay = (at: number) => {
    const date = dateOf(at).toString();
    if (kind === 'date') {
      onPick(date);
      popover.current?.hidePopover?.();
      onClose();
    } else onPick(`${date}T${time || '09:00'}`);
  };
  const isOpen = (at: number) => {
    const date = dateOf(at).toString();
    return !(min && date < min.slice(0, 10)) && !(max && date > max.slice(0, 10));
  };
  const pickTime = (next: string) => {
    onPick(kind === 'time' ? next : `${day || today}T${next}`);
    onClose();
  };
  const near = halfHours.findLast((one) => one <= (time || '09:00')) ?? '09:00';
  return (
    <div
      ref={popover}
      popover="auto"
      role="dialog"
      aria-label={words.openPicker}
      className={styles.picker}
      tabIndex={-1}
      {...keepsEscape}
      onFocus={({ target }) => {
        // A dialog around it looks at the element that has the focus.
        for (const [name, value] of Object.entries(keepsEscape)) target.setAttribute(name, value);
      }}
      onToggle={(event: ToggleEvent<HTMLElement>) => {
        if (event.newState === 'closed') onClose();
      }}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
      }}
    >
      {kind === 'time' ? null : (
        <MiniMonth
          day={dayAt}
          today={todayAt}
          days={{ firstDay: dayAt, dayCount: 1 }}
          weekStart={preferences.weekStart}
          labels={monthLabels(preferences.locale)}
          onDay={pickDay}
          isOpen={isOpen}
        />
      )}
      {kind === 'date' ? null : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the list hears the keys of its buttons
        <div className={styles.times} onKeyDown={moveAmongTimes}>
          {halfHours.map((one) => (
            <button
              key={one}
              type="button"
              className={styles.time}
              tabIndex={one === near ? 0 : -1}
              data-near={one === near || undefined}
              aria-pressed={one === time}
              onClick={() => pickTime(one)}
            >
              {showTime(one, preferences)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function moveAmongTimes(event: KeyboardEvent<HTMLElement>) {
  const from = document.activeElement;
  const { firstElementChild: first, lastElementChild: last } = event.currentTarget;
  const next = {
    ArrowDown: from?.nextElementSibling,
    ArrowUp: from?.previousElementSibling,
    Home: first,
    End: last,
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  if (next instanceof HTMLElement) next.focus();
}

const dayNumber = (date: string) => Temporal.PlainDate.from(date).since('1970-01-01').days;

function monthLabels(locale: string): MonthLabels {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const one = formatter(locale, { timeZone: 'UTC', ...options });
    return (day: number) => one.format(day * 86_400_000);
  };
  return {
    month: format({ month: 'long', year: 'numeric' }),
    weekdayLetter: format({ weekday: 'narrow' }),
    date: format({ dateStyle: 'long' }),
    dayOfMonth: (day) => String(dateOf(day).day),
  };
}
