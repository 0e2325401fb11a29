import { useEffect, useRef } from 'react';
import { focusPageTitle } from './page-title.ts';

/** When a page goes on to another step, the focus goes to what that step is about, once it stands. */
export function useStepFocus(step: string): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) focusPageTitle();
    shown.current = step;
  }, [step]);
}
