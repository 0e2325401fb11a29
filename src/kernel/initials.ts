/** The first sign of a word as people count them: an emoji, or a letter with its marks. Empty: there is none. */
function firstSign(word: string): string {
  // Firefox has it since version 125
  if (!('Segmenter' in Intl)) return [...word][0] ?? '';
  const [first] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word);
  return first?.segment ?? '';
}

/** The first signs of the first and the last word of a name; empty where it has no words. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => firstSign(word ?? '')).join('');
}
