import { createContext } from 'react';

/** To the row before and after the one whose details are open; null at the ends of the list. */
export interface DetailsSteps {
  previous: (() => void) | null;
  next: (() => void) | null;
}

export const DetailsStepsContext = createContext<DetailsSteps | null>(null);
