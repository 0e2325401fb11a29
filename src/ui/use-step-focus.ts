import { useEffect, useRef } from 'react';
import { focusPageTitle } from './page-title.ts';

/** Moves the focus to the heading of a new step, once it is rendered. */
export function useStepFocus(step: string): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) focusPageTitle();
    shown.current = step;
  }, [step]);
}
