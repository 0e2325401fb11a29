import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { fillWords, type Say } from '../rules/fill-words.ts';
import type { Reading, Words } from '../rules/visit-data.ts';
import { type Moments, readMoments } from './moments.ts';

interface Read {
  words: Words;
  say: Say;
  moments: Moments;
  reading: Reading;
}

const Context = createContext<Read | null>(null);

/** Gives the parts below the words of the page, and times as its visitor reads them. */
export function ReadingProvider(props: { words: Words; reading: Reading; children: ReactNode }) {
  const { words, reading, children } = props;
  const read = useMemo<Read>(
    () => ({ words, say: (key, values) => fillWords(words, key, values), moments: readMoments(reading), reading }),
    [words, reading],
  );
  return <Context value={read}>{children}</Context>;
}

export function useReading(): Read {
  const read = useContext(Context);
  if (read === null) throw new Error('no ReadingProvider above');
  return read;
}
