import type { Words } from './visit-data.ts';

/** A sentence with its names filled in; a value that ends in a stop (`3:24 p.m.`) ends its sentence. `n` chooses between `_one` and `_other` where there are several. */
export function fillWords(words: Words, key: string, values: Readonly<Record<string, string | number>> = {}): string {
  const { n } = values;
  const plural = typeof n === 'number' ? words[`${key}_${pluralOf(n, words.language ?? 'en')}`] : undefined;
  const sentence = plural ?? words[`${key}_other`] ?? words[key] ?? key;
  return sentence.replace(/\{(\w+)\}(\.?)/g, (_, name: string, stop: string) => {
    const value = String(values[name] ?? '');
    return value.endsWith('.') ? value : value + stop;
  });
}

export type Say = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** `45 min`, `1 hour`, `1 h 30 min`. */
export function sayDuration(say: Say, minutes: number): string {
  if (minutes < 60) return say('minutes', { n: minutes });
  if (minutes % 60 === 0) return say('hours', { n: minutes / 60 });
  return say('hoursMinutes', { h: Math.floor(minutes / 60), m: minutes % 60 });
}

const rules = new Map<string, Intl.PluralRules>();

function pluralOf(n: number, language: string): string {
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  return rule.select(n);
}
