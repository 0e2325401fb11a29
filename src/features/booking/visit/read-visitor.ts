import { loadZone } from '#kernel/time/zones.ts';
import type { PageCall } from '#platform/page-route.ts';
import en from '../page/words/en.json' with { type: 'json' };
import type { Reading, Words } from '../rules/visit-data.ts';

/** Another language joins by its file and its name here; what it lacks is said in English. */
const languages: Readonly<Record<string, Words>> = { en };

/** Who reads a public page, as far as that changes how it is written. */
export interface Visitor {
  words: Words;
  /** BCP 47, of the words. */
  language: string;
  reading: Reading;
  /** Nobody has said which zone they are in: this is the host's. */
  guessedZone: string | undefined;
  /** What they chose in the address of this page, for every link on it. */
  chosen: Readonly<Record<string, string>>;
}

/** The sentences that one page needs in the browser too. */
export function pickWords(words: Words, wanted: RegExp): Words {
  return Object.fromEntries(Object.entries(words).filter(([key]) => wanted.test(key)));
}

/** Their own choice, else what they chose on an earlier page, else what the browser says, else what the host has. */
export function readVisitor(call: PageCall, host: { zone: string; language?: string | null }): Visitor {
  const preferred = host.language === undefined || host.language === null ? call.languages : host.language;
  const [tag, language] = chooseLanguage(preferred, call.languages);
  const locale = localeOf(language, tag);
  // a form carries on what the address of its page said
  const said = (name: string) => call.query.get(name) ?? call.form.get(name);
  const asked = knownZone(said('tz'));
  const zone = asked ?? knownZone(call.cookies['hf-zone']);
  const clock = clockOf(said('clock'));
  const usual = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true;
  const hour12 = clock ?? clockOf(call.cookies['hf-clock']) ?? usual;
  return {
    words: { ...languages.en, ...languages[language], language },
    language,
    reading: { zone: zone ?? host.zone, locale, hour12, firstWeekday: firstWeekdayOf(locale) },
    guessedZone: zone === null ? host.zone : undefined,
    chosen: {
      ...(asked === null ? {} : { tz: asked }),
      ...(clock === null ? {} : { clock: clock ? '12' : '24' }),
    },
  };
}

/** The first tag that somebody prefers of whose language there are words, and that language. */
function chooseLanguage(preferred: string, accepted: string): [tag: string, language: string] {
  const tags = preferred
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
  const found = tags.find((tag) => languageOf(tag) in languages);
  // Somebody who reads none of them still lives somewhere: their clock and dates stay theirs.
  const own = found ?? tags[0] ?? accepted.split(/[,;]/, 1)[0]?.trim() ?? '';
  return [tagPattern.test(own) ? own : 'en-US', found === undefined ? 'en' : languageOf(found)];
}

const tagPattern = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;
const languageOf = (tag: string) => tag.split('-', 1)[0]?.toLowerCase() ?? '';

/** Words and dates are of one language, the way of writing dates is that of the region. */
function localeOf(language: string, tag: string): string {
  try {
    const { region } = new Intl.Locale(tag).maximize();
    return region === undefined ? language : `${language}-${region}`;
  } catch (error) {
    if (error instanceof RangeError) return language;
    throw error;
  }
}

function firstWeekdayOf(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo(): { firstDay: number } };
  return known.getWeekInfo().firstDay - 1;
}

const knownZone = (name: string | null | undefined): string | null => loadZone(name ?? '')?.id ?? null;

const clockOf = (text: string | null | undefined): boolean | null =>
  text === '12' ? true : text === '24' ? false : null;
