/** Languages of Holdfast. To add one, see docs/decisions/0045-languages.md. */
export const languages = ['en', 'de', 'fr', 'es', 'ja'] as const;
export type Language = (typeof languages)[number];

/** English made longer, accented and bracketed, which shows what does not fit and what is in no catalogue. Never listed. */
export const pseudoLocale = 'en-XA';

/** Holds what a browser's person chose: written by public pages and by the app, read by both. */
export const languageCookie = 'hf-lang';

const tagPattern = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;
const languageOf = (tag: string) => tag.split('-', 1)[0]?.toLowerCase() ?? '';
const isKnown = (tag: string) => (languages as readonly string[]).includes(languageOf(tag));

/** The locale of a reader: the language of texts, and the format of dates and figures. Both BCP 47. */
export interface Tongue {
  /** One of `languages`, or the pseudo-locale. */
  language: string;
  locale: string;
}

/**
 * Resolves the locale from tags in order of preference: the first whose language is supported. Dates use that language
 * with the conventions of the reader's region: a reader who prefers `it-IT` gets `en-IT`.
 */
export function chooseTongue(tags: readonly (string | null | undefined)[]): Tongue {
  const known = tags.filter((tag) => tag !== null && tag !== undefined).filter((tag) => tagPattern.test(tag));
  const tag = known.find(isKnown);
  if (tag === pseudoLocale) return { language: tag, locale: 'en-US' };
  const language = tag === undefined ? 'en' : languageOf(tag);
  // `de` was chosen, and the browser says `de-AT`: they live there
  const there = known.find((one) => languageOf(one) === language && one.includes('-')) ?? tag ?? known[0] ?? 'en-US';
  return { language, locale: localeOf(language, there) };
}

function localeOf(language: string, tag: string): string {
  try {
    const { region } = new Intl.Locale(tag).maximize();
    return region === undefined ? language : `${language}-${region}`;
  } catch (error) {
    if (error instanceof RangeError) return language;
    throw error;
  }
}

/** The tags of an `Accept-Language`, the most wanted first. */
export function readAccepted(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', ...rest] = entry.trim().split(';');
      const q = Number(/^\s*q=([\d.]+)/.exec(rest.join(';'))?.[1] ?? 1);
      return { tag, q: Number.isFinite(q) ? q : 0 };
    })
    .filter(({ tag, q }) => q > 0 && tagPattern.test(tag))
    .sort((one, other) => other.q - one.q)
    .map(({ tag }) => tag);
}

/** Returns a language's own name, as it begins a line: `Deutsch`, `Français`. */
export function nameOfLanguage(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language', languageDisplay: 'standard' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** Alphabetical order, the same on every machine. Without a language, the locale of the machine would decide. */
export const compareNames = new Intl.Collator('en').compare;

/** Not every browser tells both. */
type LocaleFacts = Intl.Locale & {
  getWeekInfo?(): { firstDay: number };
  getTextInfo?(): { direction: 'ltr' | 'rtl' };
};

/** ISO weekday that a week begins with, 7 = Sunday. */
export const firstDayOf = (locale: string): number =>
  (new Intl.Locale(locale) as LocaleFacts).getWeekInfo?.().firstDay ?? 1;

export const directionOf = (language: string): 'ltr' | 'rtl' =>
  (new Intl.Locale(language) as LocaleFacts).getTextInfo?.().direction ?? 'ltr';
