import { readVisitor } from '#features/booking/public.ts';
import { fillWords } from '#features/booking/rules/fill-words.ts';
import type { App } from '#platform/app.ts';
import type { PageCall } from '#platform/page-route.ts';
import en from './page/words/en.json' with { type: 'json' };
import type { SiteFrameData } from './rules/site-data.ts';

/** Another language joins by its file and its name here; what it lacks is said in English. */
const languages: Readonly<Record<string, Readonly<Record<string, string>>>> = { en };

export interface SiteVisitor {
  language: string;
  locale: string;
  hour12: boolean;
  say: (key: string, values?: Readonly<Record<string, string | number>>) => string;
  frame: SiteFrameData;
}

/** Who reads a page of the site, and what stands around each of them. */
export function readSiteVisitor({ config }: Pick<App, 'config'>, call: PageCall): SiteVisitor {
  const { language, reading } = readVisitor(call, { zone: 'UTC' });
  const words = { ...languages.en, ...languages[language], language };
  const { name = null, contact = null, blog = null } = config.operator;
  return {
    language,
    locale: reading.locale,
    hour12: reading.hour12,
    say: (key, values) => fillWords(words, key, values),
    frame: { words, operator: name, contact, blog },
  };
}
