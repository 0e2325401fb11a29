/** Texts, possibly in groups. */
interface Words {
  readonly [key: string]: string | Words;
}

const plain = 'AaBbCcDdEeGgHhIiKkLlNnOoRrSsTtUuWwYyZz';
const accented = 'ÅåƁƀÇçÐðÉéĜĝĤĥÎîĶķĻļÑñÖöŔŕŠšŢţÛûŴŵÝýŽž';
/** Placeholders, tags and references to other texts stay unchanged. */
const kept = /(\{{1,2}[^{}]*\}{1,2}|<\/?\w+\/?>|\$t\([^()]*\))/;

/** The pseudo-locale of a catalogue: every text readable, two fifths longer, in brackets. */
export function pseudoWords<W extends Words>(words: W): W {
  return Object.fromEntries(
    Object.entries(words).map(([key, value]) => [
      key,
      typeof value === 'string' ? pseudoText(value) : pseudoWords(value),
    ]),
  ) as W;
}

export function pseudoText(text: string): string {
  const parts = text.split(kept);
  const shown = parts.map((part, at) => (at % 2 === 1 ? part : accent(part))).join('');
  const said = parts.filter((_, at) => at % 2 === 0).join('').length;
  // in pieces that a line can break between, as words are
  return `[${shown}${'~'.repeat(Math.ceil(said * 0.4)).replace(/~{6}(?=~)/g, '$& ')}]`;
}

const accent = (text: string) => text.replace(/[A-Za-z]/g, (letter) => accented[plain.indexOf(letter)] ?? letter);
