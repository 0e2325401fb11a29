import { join } from 'node:path';
import { chooseTongue, firstDayOf, languageCookie, pseudoLocale, readAccepted } from '#kernel/languages.ts';
import { pseudoWords } from '#kernel/pseudo-words.ts';
import { printLocalDate } from '#kernel/time/local.ts';
import { loadZone, utc } from '#kernel/time/zones.ts';
import type { PageCall } from '#platform/page-route.ts';
import { readWordFiles } from '#platform/word-files.ts';
import type { Reading, Words } from '../rules/visit-data.ts';

const sayings = pageWords(join(import.meta.dirname, '../page/words'));

/** Returns the texts of a page's folder by language; missing ones are in English. */
export function pageWords(folder: string): (language: string) => Words {
  const languages: Readonly<Record<string, Words>> = readWordFiles<Words>(folder);
  const said = new Map<string, Words>();
  return (language) => {
    const english = languages.en ?? {};
    const words =
      said.get(language) ??
      (language === pseudoLocale ? pseudoWords(english) : { ...english, ...languages[language], language });
    said.set(language, words);
    return words;
  };
}

/** The reader of a public page, as far as the page depends on them. */
export interface Visitor {
  words: Words;
  /** BCP 47, of the words. */
  language: string;
  reading: Reading;
  /** The host's zone, set if the visitor has chosen none. */
  guessedZone: string | undefined;
  /** Choices in the address of this page, for every link on it. */
  chosen: Readonly<Record<string, string>>;
}

/** The sentences that one page needs in the browser too. */
export function pickWords(words: Words, wanted: RegExp): Words {
  return Object.fromEntries(Object.entries(words).filter(([key]) => wanted.test(key)));
}

/**
 * Reads the visitor's choices. The order: the choice in the address, the host's for this page (texts only), earlier
 * choices, and the browser's. `lastLanguage` was detected at an earlier visit: the current one takes precedence.
 */
export function readVisitor(
  call: PageCall,
  host: { zone: string; language?: string | null; lastLanguage?: string | null; nowMs?: number },
): Visitor {
  // a form carries on what the address of its page said
  const said = (name: string) => call.query.get(name) ?? call.form.get(name);
  const wanted = said('lang');
  const { language, locale } = chooseTongue([
    wanted,
    host.language,
    call.cookies[languageCookie],
    ...readAccepted(call.languages),
    host.lastLanguage,
  ]);
  const asked = knownZone(said('tz'));
  const zone = asked ?? knownZone(call.cookies['hf-zone']);
  const clock = clockOf(said('clock'));
  const usual = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true;
  const hour12 = clock ?? clockOf(call.cookies['hf-clock']) ?? usual;
  return {
    words: sayings(language),
    language,
    reading: {
      zone: zone ?? host.zone,
      locale,
      hour12,
      firstWeekday: firstDayOf(locale) - 1,
      ...(host.nowMs === undefined ? {} : { year: yearAt(host.nowMs, zone ?? host.zone) }),
    },
    guessedZone: zone === null ? host.zone : undefined,
    chosen: {
      ...(wanted === null ? {} : { lang: language }),
      ...(asked === null ? {} : { tz: asked }),
      ...(clock === null ? {} : { clock: clock ? '12' : '24' }),
    },
  };
}

const yearAt = (ms: number, zone: string) => printLocalDate((loadZone(zone) ?? utc).toLocal(ms)).slice(0, 4);

/** No zone has a space in its name: one in an address was a `+`, as in `Etc/GMT+5`. */
const knownZone = (name: string | null | undefined): string | null =>
  loadZone((name ?? '').replaceAll(' ', '+'))?.id ?? null;

const clockOf = (text: string | null | undefined): boolean | null =>
  text === '12' ? true : text === '24' ? false : null;
