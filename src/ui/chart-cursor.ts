import { type KeyboardEvent, type PointerEvent, useState } from 'react';

/** A drawing of so many places; the keys go from one to the next, line by line where there are several rows. */
export interface CursorOptions {
  label: string;
  columns: number;
  rows?: number;
  /** Text of a place, shown and announced. */
  textOf: (place: number) => string;
  /** Which place is under the pointer; null: none. */
  placeAt: (x: number, y: number) => number | null;
}

const steps: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Reads a chart place by place, with a pointer or with arrows, Home and End. It is a slider to those who do not see it:
 * the one role whose value is spoken as it moves.
 */
export function useChartCursor({ label, columns, rows = 1, textOf, placeAt }: CursorOptions) {
  const [at, setAt] = useState<number | null>(null);
  const last = columns * rows - 1;
  const place = at === null || at > last ? null : at;
  const go = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const from = place ?? 0;
    if (event.key === 'Home') setAt(0);
    else if (event.key === 'End') setAt(last);
    else if (step !== undefined) {
      // up and down go along where there is one row, as a slider does
      const by = rows === 1 ? step[0] - step[1] : step[0] + step[1] * columns;
      setAt(Math.max(0, Math.min(last, from + by)));
    } else return;
    event.preventDefault();
  };
  const point = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setAt(placeAt(event.clientX - box.left, event.clientY - box.top));
  };
  return {
    place,
    props: {
      role: 'slider' as const,
      tabIndex: 0,
      'aria-label': label,
      'aria-valuemin': 0,
      'aria-valuemax': Math.max(0, last),
      'aria-valuenow': place ?? 0,
      'aria-valuetext': textOf(place ?? 0),
      onKeyDown: go,
      onFocus: () => setAt((before) => before ?? 0),
      onBlur: () => setAt(null),
      onPointerMove: point,
      onPointerDown: point,
      onPointerLeave: (event: PointerEvent<HTMLElement>) => {
        if (event.currentTarget !== document.activeElement) setAt(null);
      },
    },
  };
}
