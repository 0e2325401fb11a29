/** Letters that no normal form takes apart. */
const plain: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };

/**
 * A text as searches compare it: no case, no accents, words with one space between them. `Łódź, naïve@x.org` becomes
 * `lodz naive x org`. Folding twice changes nothing.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]+/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ßøæœłđðþı]/g, (letter) => plain[letter] ?? letter)
    .replace(/[\u0300-\u036F]+/g, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}
