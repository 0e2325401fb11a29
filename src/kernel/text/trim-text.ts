/**
 * The text without these characters at its end. A regular expression such as `/[.,]+$/` takes quadratic time where a long
 * run of them is followed by something else; this one reads the end alone.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The same at both ends. */
export function trimOf(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return trimEndOf(text.slice(start), characters);
}

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
