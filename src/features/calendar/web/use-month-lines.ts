import { type RefObject, useLayoutEffect, useState } from 'react';

/** Heights of a day's number and of a line; see month-view.module.css. */
const headPx = 29;
const linePx = 18.5;
const fewest = 2;
const usual = 3;

/** How many lines of events fit in a day, as the window gives room. */
export function useMonthLines(root: RefObject<HTMLElement | null>, weeks: number): number {
  const [lines, setLines] = useState(usual);
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    const measure = () => {
      if (element.clientHeight === 0) return;
      setLines(Math.max(fewest, Math.floor((element.clientHeight / weeks - headPx) / linePx)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [root, weeks]);
  return lines;
}
