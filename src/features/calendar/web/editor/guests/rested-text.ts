import { useEffect, useState } from 'react';

/**
 * A text after a pause without changes. As `useRested` of the design system, whose chunk would be split for this form: a
 * first visit of any screen then names one file more, and its budget is used up.
 */
export function useRestedText(text: string, pauseMs: number): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return rested;
}
