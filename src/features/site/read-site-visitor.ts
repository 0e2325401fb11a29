import { join } from 'node:path';
import { pageWords, readVisitor } from '#features/booking/public.ts';
import { fillWords } from '#features/booking/rules/fill-words.ts';
import type { App } from '#platform/app.ts';
import type { PageCall } from '#platform/page-route.ts';
import type { SiteFrameData } from './rules/site-data.ts';

const sayings = pageWords(join(import.meta.dirname, 'page/words'));

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
  const words = sayings(language);
  const { name = null, contact = null, blog = null } = config.operator;
  return {
    language,
    locale: reading.locale,
    hour12: reading.hour12,
    say: (key, values) => fillWords(words, key, values),
    frame: { words, operator: name, contact, blog },
  };
}
