import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, languages } from '#kernel/languages.ts';

/** The catalogues of a folder by language: `{before}{language}.json`, for each language that has one. */
export function readWordFiles<W>(folder: string, before = ''): { en: W } & Partial<Record<Language, W>> {
  const found = languages
    .map((language) => [language, join(folder, `${before}${language}.json`)] as const)
    .filter(([, path]) => existsSync(path));
  return Object.fromEntries(
    found.map(([language, path]) => [language, JSON.parse(readFileSync(path, 'utf8')) as W]),
  ) as ReturnType<typeof readWordFiles<W>>;
}
