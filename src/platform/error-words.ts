import { join } from 'node:path';
import { type Language, pseudoLocale } from '#kernel/languages.ts';
import { pseudoText } from '#kernel/pseudo-words.ts';
import { readWordFiles } from './word-files.ts';

/** By the English text as the code has it, with `{1}`, `{2}` where something is filled in. */
type Catalogue = Readonly<Record<string, string>>;

const sayings = new Map(
  Object.entries(readWordFiles<Catalogue>(join(import.meta.dirname, 'errors'))).map(([language, words]) => [
    language as Language,
    sayFrom(words),
  ]),
);

/** Texts of ours are shorter, with all that is filled in. A longer one is compared with no pattern. */
const longestError = 1_000;

/** Translates an English refusal; returns the English text if no translation exists. */
export function sayError(english: string, language: string): string {
  if (english.length > longestError) return english;
  if (language === pseudoLocale) return pseudoText(english);
  return sayings.get(language as Language)?.(english) ?? english;
}

/** An answer whose texts that say why something waits or failed (`message`, `error`) are in a language. */
export function sayMessages(answer: unknown, language: string): unknown {
  if (language === 'en' || typeof answer !== 'object' || answer === null) return answer;
  if (Array.isArray(answer)) return answer.map((one) => sayMessages(one, language));
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [
      key,
      (key === 'message' || key === 'error') && typeof value === 'string'
        ? sayError(value, language)
        : sayMessages(value, language),
    ]),
  );
}

export function sayFrom(words: Catalogue): (english: string) => string {
  // the longest first: it says most about which one was meant
  const filledIn = Object.entries(words)
    .filter(([key]) => /\{\d\}/.test(key))
    .sort(([one], [other]) => other.length - one.length)
    .map(([key, said]) => ({ pattern: patternOf(key), said }));
  const say = (english: string): string => {
    const whole = words[english];
    if (whole !== undefined) return whole;
    for (const { pattern, said } of filledIn) {
      const filled = pattern.exec(english);
      // a parameter may be a translatable text itself
      if (filled !== null) return said.replace(/\{(\d)\}/g, (_, number: string) => say(filled[Number(number)] ?? ''));
    }
    const [, field, rest] = /^([\w.[\]-]+: )(.+)$/s.exec(english) ?? [];
    if (rest !== undefined) return field + say(rest);
    const several = english.split('; ');
    return several.length === 1 ? english : several.map(say).join('; ');
  };
  return say;
}

function patternOf(key: string): RegExp {
  const parts = key.split(/\{\d\}/).map((text) => RegExp.escape(text));
  return new RegExp(`^${parts.join('(.+?)')}$`, 's');
}
