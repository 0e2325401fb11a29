import { join } from 'node:path';
import { type Language, pseudoLocale } from '#kernel/languages.ts';
import { pseudoWords } from '#kernel/pseudo-words.ts';
import { readWordFiles } from './word-files.ts';
import english from './words/en.json' with { type: 'json' };

export type OwnWords = Readonly<Record<keyof typeof english, string>>;

const words = readWordFiles<OwnWords>(join(import.meta.dirname, 'words'));

/** The platform's own texts: names of the installed app, and the mails of the outbox. */
export function ownWords(language: string): OwnWords {
  return language === pseudoLocale ? pseudoWords(words.en) : (words[language as Language] ?? words.en);
}
