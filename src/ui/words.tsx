import { createContext, type ReactNode, useContext } from 'react';
import type { ErrorWords } from './error-text.ts';

/** The few words the design system says itself, in the person's language; the app around it provides them. */
export interface Words extends ErrorWords {
  close: string;
  retry: string;
  copy: string;
  copied: string;
  copyRefused: string;
  requestId: string;
  /** To what else one could pay for. */
  plans: string;
  cancel: string;
  notifications: string;
  loading: string;
  justNow: string;
  minutesAgo: (minutes: number) => string;
  hoursAgo: (hours: number) => string;
  daysAgo: (days: number) => string;
  earlierMonth: string;
  laterMonth: string;
  openPicker: string;
  unreadable: (example: string) => string;
  earliest: (when: string) => string;
  latest: (when: string) => string;
}

const WordsContext = createContext<Words | null>(null);

export function WordsProvider({ value, children }: { value: Words; children: ReactNode }) {
  return <WordsContext value={value}>{children}</WordsContext>;
}

export function useWords(): Words {
  const words = useContext(WordsContext);
  if (!words) throw new Error('WordsProvider is missing above this component');
  return words;
}
