import { keepOneTabStop, stopToward } from './roving-focus.ts';

/**
 * Keyboard travel over a month: one stop is in the tab order. Left and right go from day to day, up and down through a
 * day and on to the same weekday of the next week, Home and End to the ends of the week (with Ctrl: of the month).
 * Stops carry `data-column` (the day's place in the month) and `data-minute`.
 */
export function monthStopToward(
  root: HTMLElement,
  from: HTMLElement,
  event: { key: string; ctrlKey: boolean; metaKey: boolean },
  daysInRow: number,
): HTMLElement | undefined {
  const { key } = event;
  const column = Number(from.dataset.column);
  const stopsOf = (day: number) => [...root.querySelectorAll<HTMLElement>(`[data-column="${day}"]`)];
  if (key === 'Home' || key === 'End') {
    if (event.ctrlKey || event.metaKey) return stopToward(root, from, key, true);
    const rowStart = column - (column % daysInRow);
    return stopsOf(key === 'Home' ? rowStart : rowStart + daysInRow - 1)[0];
  }
  const next = stopToward(root, from, key, false);
  if (next !== undefined) return next;
  if (key === 'ArrowDown') return stopsOf(column + daysInRow)[0];
  if (key === 'ArrowUp') return stopsOf(column - daysInRow).at(-1);
  return undefined;
}

/** The stop of a day becomes the one that Tab reaches. */
export function keepMonthStop(root: HTMLElement, dayNumber: number): void {
  const current = root.querySelector<HTMLElement>('[data-column][tabindex="0"]');
  const day = root.querySelector<HTMLElement>(`[data-day="${dayNumber}"]`);
  keepOneTabStop(root, current ?? day ?? undefined);
}
