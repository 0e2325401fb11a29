import { type RefObject, useLayoutEffect, useState } from 'react';
import { createTextWidths, type TextWidths } from './text-width.ts';

/** The cards' area of each day, and the widths of texts on it. */
export interface DayArea {
  widthPx: number;
  widths: TextWidths;
}

/** Beside the cards, where a press always makes a new event; see week-grid.module.css. */
const marginPx = 8;
/** Where nothing can be measured: on the server, for the page of a product, and in tests without a layout. */
const usualPx = 181;

/** Measures the first day of a grid; undefined until then, which is never painted. */
export function useDayArea(root: RefObject<HTMLElement | null>, dayCount: number): DayArea | undefined {
  const [area, setArea] = useState(() =>
    typeof document === 'undefined' ? { widthPx: usualPx, widths: createTextWidths() } : undefined,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of days has other widths
  useLayoutEffect(() => {
    const day = root.current?.querySelector('[data-slide]');
    if (day == null) return;
    const measure = () => {
      const widthPx = day.clientWidth === 0 ? usualPx : day.clientWidth - marginPx;
      setArea((before) =>
        before?.widthPx === widthPx ? before : { widthPx, widths: before?.widths ?? createTextWidths() },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(day);
    // A font that came late has other widths.
    const measureAnew = () => setArea((before) => before && { ...before, widths: createTextWidths() });
    document.fonts?.addEventListener('loadingdone', measureAnew);
    return () => {
      observer.disconnect();
      document.fonts?.removeEventListener('loadingdone', measureAnew);
    };
  }, [root, dayCount]);
  return area;
}
