import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entranceWords } from '#features/access/rules/entrance-words.ts';
import { languages, nameOfLanguage } from '#kernel/languages.ts';
import { ownName } from '#kernel/product-name.ts';
import { loadPageBundle } from '#platform/page-bundle.ts';
import { type Page, type Tongues, writePage } from '#platform/page-document.ts';
import { readWordFiles } from '#platform/word-files.ts';
import type { Record } from './record.ts';
import type { PageFile } from './still-server.ts';

/** Public pages as the server draws them of what was recorded: with the scripts and styles that were built, and today's words. */

const tongues: Tongues = {
  asked: false,
  ways: languages.map((language) => ({ language, name: nameOfLanguage(language), to: `?lang=${language}` })),
};

const src = join(import.meta.dirname, '../../../src');
const wordsOf = (feature: string) =>
  readWordFiles<{ [key: string]: string }>(join(src, 'features', feature, 'page/words')).en;
const entrance = entranceWords((area) => JSON.parse(readFileSync(join(src, 'web/locales/en', `${area}.json`), 'utf8')));
const booking = { ...wordsOf('booking'), ...wordsOf('routing'), language: 'en' };
const site = { ...wordsOf('site'), language: 'en' };

const wordsFor = ({ name, site: facts }: Page) => (name === 'entrance' ? entrance : facts ? site : booking);

/** As Holdfast itself looks. */
const install = {
  name: ownName,
  steps: null,
  accent: '',
  logo: null,
  darkLogo: null,
  logoBytes: null,
  chosen: { name: null, color: null, logo: null, darkLogo: null },
};

/** However it was written. */
function plain(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  return `${pathname}?${searchParams.toString()}`;
}

export async function drawPages({ pages }: Pick<Record, 'pages'>): Promise<(url: string) => PageFile | undefined> {
  const bundle = await loadPageBundle();
  if (bundle === null) throw new Error('the pages are not built: node scripts/build-pages.ts');
  const known = new Map(pages.map(({ path, page }) => [plain(path), page]));
  return (url) => {
    const file = bundle.files.get(url);
    if (file !== undefined) return { type: file.type, text: file.plain };
    const page = known.get(plain(url));
    if (page === undefined) return undefined;
    const data = { words: wordsFor(page), ...(page.data as object) };
    const { html, policy } = writePage(bundle, { ...page, data }, 'http://localhost', { install, tongues });
    return { type: 'text/html; charset=utf-8', text: html, policy };
  };
}
