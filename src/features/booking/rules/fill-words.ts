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

const rules = new Map<string, Intl.PluralRules>();

function pluralOf(n: number, language: string): string {
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  return rule.select(n);
}
