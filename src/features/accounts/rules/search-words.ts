/** Each is a word: their scripts have no spaces. */
const sign = '\\u3040-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff';
const letter = 'a-z0-9\\u00c0-\\u1fff\\u2c00-\\u2fff\\ua000-\\uabff\\ufb00-\\ufffd';
const wordPattern = new RegExp(`[${letter}]+|[${sign}]`, 'g');
const beginsWord = new RegExp(`^[${letter}]`);

/** The words of a text in lower case, as `accounts.words_of` (migration 0153) finds them. */
export const wordsOf = (text: string): string[] => [...new Set(text.match(wordPattern))];

/** A part of what was typed, without a space in it. */
export interface Term {
  text: string;
  /** For PostgreSQL: the text where no word is under way. */
  pattern: string;
}

/** A search: an entry has all of the terms, in any order, each where a word begins. */
export interface WantedWords {
  terms: readonly Term[];
  /** The words of the terms: each is a word of the entry, or its beginning. Empty: nothing can be found. */
  words: readonly string[];
}

export function readWantedWords(typed: string): WantedWords {
  const texts = [...new Set(typed.toLowerCase().split(/\s+/).filter(Boolean))];
  const terms = texts.map((text) => {
    const escaped = text.replace(/[^\p{L}\p{N}]/gu, '\\$&');
    return { text, pattern: beginsWord.test(text) ? `(^|[^${letter}])${escaped}` : escaped };
  });
  return { terms, words: wordsOf(texts.join(' ')) };
}
