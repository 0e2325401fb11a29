import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { chooseTongue, directionOf, type Language, languageCookie, pseudoLocale } from '#kernel/languages.ts';
import { callIt, ownName } from '#kernel/product-name.ts';
import { installBrand } from '#ui/brand.ts';
import { provideWords } from '#ui/load-words.ts';

export interface Words {
  [key: string]: string | Words;
}

interface Catalogue {
  atOnce: Record<string, Words>;
  later: Record<string, () => Promise<Words>>;
}

/** A folder for each language, a file for each area. Which files a language has comes with the language. */
const catalogues: Record<Language, () => Promise<Catalogue>> = {
  en: () => import('./locales/en.ts'),
  de: () => import('./locales/de.ts'),
  fr: () => import('./locales/fr.ts'),
  es: () => import('./locales/es.ts'),
  ja: () => import('./locales/ja.ts'),
};

/** Languages whose words are loaded: the current one, and during a change the next one too. */
const spoken = new Set<string>();
const areas = new Set<string>(['shell', 'ui']);
let wish = '';

/** The tag in the address goes before what this browser's person chose, and that before what the browser says. */
let asked = new URLSearchParams(location.search).get('lang');

export function usualTag(): string {
  const kept = new RegExp(`(?:^|; )${languageCookie}=([\\w-]+)`).exec(document.cookie)?.[1];
  const { language, locale } = chooseTongue([asked, kept, ...navigator.languages]);
  if (asked !== null) keepTag(language);
  return language === pseudoLocale ? language : locale;
}

/** For the next page, and for the pages that the server writes. */
function keepTag(tag: string): void {
  const { language } = chooseTongue([tag]);
  const secure = location.protocol === 'https:' ? ';secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the other way of writing it is asynchronous, and not everywhere
  document.cookie = `${languageCookie}=${language};path=/;max-age=31536000;samesite=lax${secure}`;
}

/** How dates are written for somebody whose preference is this, in the language that the page is in. */
export const localeFor = (preferred: string): string => chooseTongue([asked, preferred]).locale;

/** Follows the preference of the signed-in person; a language in the address takes precedence as long as it is open. */
export async function speakAs(person: { locale: string }): Promise<void> {
  if (asked !== null) return;
  keepTag(person.locale);
  // the page keeps its language if the words cannot be loaded
  await speak(person.locale).catch(() => {});
}

function changeLanguage(language: string): void {
  asked = null;
  keepTag(language);
  // words that cannot be fetched now are fetched at the next page load
  void speak(language).catch(() => {});
}

/** Loads what every page says in the language for a tag; resolves when texts can be shown. */
export async function startTranslations(tag: string): Promise<void> {
  const { language } = chooseTongue([tag]);
  provideWords({ loadWords, changeLanguage });
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation: {} } },
    interpolation: { escapeValue: false },
    returnNull: false,
    // the title of a page is asked for before its words are there
    react: { bindI18nStore: 'added' },
  });
  await speak(tag);
}

/** Switches to the language of a tag; open screens keep their state. The last call wins. */
export async function speak(tag: string): Promise<void> {
  const { language } = chooseTongue([tag]);
  wish = language;
  if (spoken.has(language) && i18next.language === language) return;
  spoken.add(language);
  try {
    await Promise.all([...areas].map((area) => bringWords(language, area)));
  } catch (error) {
    if (i18next.language !== language) spoken.delete(language);
    throw error;
  }
  if (wish !== language) return;
  await i18next.changeLanguage(language);
  for (const other of spoken) if (other !== language) spoken.delete(other);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}

const loading = new Map<string, Promise<void>>();

/** Brings the words of an area, once; one that did not come is asked for again. */
export async function loadWords(area: string): Promise<void> {
  areas.add(area);
  await Promise.all([...spoken].map((language) => bringWords(language, area)));
}

function bringWords(language: string, area: string): Promise<void> {
  const key = `${language}/${area}`;
  let words = loading.get(key);
  if (words === undefined) {
    words = readWords(language, area).then((read) => {
      i18next.addResourceBundle(
        language,
        'translation',
        { [area]: callIt(read, installBrand.name ?? ownName) },
        true,
        true,
      );
    });
    loading.set(key, words);
    words.catch(() => loading.delete(key));
  }
  return words;
}

async function readWords(language: string, area: string): Promise<Words> {
  if (language === pseudoLocale) {
    const [words, { pseudoWords }] = await Promise.all([readWords('en', area), import('#kernel/pseudo-words.ts')]);
    return pseudoWords(words);
  }
  const { atOnce, later } = await catalogues[language as Language]();
  const path = `./${language}/${area}.json`;
  const words = atOnce[path] ?? (await later[path]?.());
  if (words !== undefined) return words;
  if (language !== 'en') return readWords('en', area);
  throw new Error(`No words for ${area}`);
}
