import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { provideWords } from '#ui/load-words.ts';

/**
 * A folder for each locale, a file for each area: what the shell and the design system say, and the words of each
 * feature, which come with its screens. English is complete, others join by adding their folder.
 */
const catalogs = import.meta.glob<{ default: Record<string, unknown> }>('./locales/*/*.json');

let locale = 'en';

/** The folder for a locale such as `en-US`: its own, its language's, or English. */
function folderFor(wanted: string): string {
  const language = wanted.split('-')[0] ?? 'en';
  return [wanted, language].find((name) => `./locales/${name}/shell.json` in catalogs) ?? 'en';
}

/** Loads what every page says and makes its language current; resolves when texts can be shown. */
export async function startTranslations(wanted: string): Promise<void> {
  locale = folderFor(wanted);
  provideWords(loadWords);
  await i18next.use(initReactI18next).init({
    lng: locale,
    resources: { [locale]: { translation: {} } },
    interpolation: { escapeValue: false },
    returnNull: false,
    // the title of a page is asked for before its words are there
    react: { bindI18nStore: 'added' },
  });
  await Promise.all([loadWords('shell'), loadWords('ui')]);
  document.documentElement.lang = locale;
}

const loading = new Map<string, Promise<void>>();

/** Brings the words of an area, once; one that did not come is asked for again. */
export function loadWords(area: string): Promise<void> {
  let words = loading.get(area);
  if (words === undefined) {
    words = readWords(area);
    loading.set(area, words);
    words.catch(() => loading.delete(area));
  }
  return words;
}

async function readWords(area: string): Promise<void> {
  const load = catalogs[`./locales/${locale}/${area}.json`] ?? catalogs[`./locales/en/${area}.json`];
  if (load === undefined) throw new Error(`No words for ${area}`);
  const { default: words } = await load();
  i18next.addResourceBundle(locale, 'translation', { [area]: words }, true, true);
}
