import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { fillWords } from '../rules/fill-words.ts';
import type { Reading, Words } from '../rules/visit-data.ts';
import { type Moments, readMoments } from './moments.ts';

export type Say = (key: string, values?: Readonly<Record<string, string | number>>) => string;

interface Read {
  say: Say;
  moments: Moments;
  reading: Reading;
}

const Context = createContext<Read | null>(null);

/** Gives the parts below the words of the page, and times as its visitor reads them. */
export function ReadingProvider(props: { words: Words; reading: Reading; children: ReactNode }) {
  const { words, reading, children } = props;
  const read = useMemo<Read>(
    () => ({ say: (key, values) => fillWords(words, key, values), moments: readMoments(reading), reading }),
    [words, reading],
  );
  return <Context value={read}>{children}</Context>;
}

export function useReading(): Read {
  const read = useContext(Context);
  if (read === null) throw new Error('no ReadingProvider above');
  return read;
}

/** `45 min`, `1 hour`, `1 h 30 min`. */
export function sayDuration(say: Say, minutes: number): string {
  if (minutes < 60) return say('minutes', { n: minutes });
  if (minutes % 60 === 0) return say('hours', { n: minutes / 60 });
  return say('hoursMinutes', { h: Math.floor(minutes / 60), m: minutes % 60 });
}
