import { foldText } from '#kernel/fold-text.ts';

/** What somebody typed, folded: letters and digits only, so that it is safe inside a pattern. */
export interface Wanted {
  whole: string;
  /** Not empty. */
  words: readonly string[];
}

/** More words do not narrow a search any further. */
const mostWords = 8;

/** Null where nothing was typed that could be looked for. */
export function readWanted(typed: string): Wanted | null {
  const words = foldText(typed).split(' ').slice(0, mostWords);
  return words[0] === '' ? null : { whole: words.join(' '), words };
}
