import { createInstance } from 'i18next';
import { chooseTongue } from '#kernel/languages.ts';
import { callIt } from '#kernel/product-name.ts';
import { nameSign } from './mail-message.ts';
import { readWordFiles } from './word-files.ts';

/** A file of words: texts, possibly in groups. Plurals and `{{values}}` as i18next has them. */
interface Words {
  readonly [key: string]: string | Words;
}

type Plural = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
/** `group.key`, the forms of a plural as one. */
type KeyOf<W> = {
  [K in keyof W & string]: W[K] extends string
    ? K extends `${infer Base}_${Plural}`
      ? Base
      : K
    : `${K}.${KeyOf<W[K]>}`;
}[keyof W & string];

/** Says something in one language. Values are shown as they are: what others typed goes through `quoteName` first. */
export type SayMail<W> = (key: KeyOf<W>, values?: Readonly<Record<string, string | number>>) => string;

/**
 * The words of a feature's mails: `mail.<language>.json` beside its `mail.ts`. English gives the keys; what a language
 * lacks is said in English.
 */
export function mailWords<W extends Words>(folder: string): (locale: string) => SayMail<W> {
  return wordsOf(readWordFiles<W>(folder, 'mail.'));
}

export function wordsOf<const W extends Words>(
  languages: { en: W } & Readonly<Record<string, Words>>,
): (locale: string) => SayMail<W> {
  const i18n = createInstance();
  void i18n.init({
    initAsync: false,
    fallbackLng: 'en',
    // as they are; with all of them here, nothing is loaded
    resources: Object.fromEntries(
      Object.entries(languages).map(([name, words]) => [name, { translation: callIt(words, nameSign) }]),
    ),
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  return (locale) => i18n.getFixedT(chooseTongue([locale]).language) as unknown as SayMail<W>;
}

export interface TimeFormat {
  /** BCP 47. */
  locale: string;
  /** IANA; named in the text. */
  zone: string;
  /** Absent: as is usual for the locale. */
  timeFormat?: '12h' | '24h';
}

/** `Friday, November 20, 2026 at 3:00 PM Central European Standard Time`: a mail is read anywhere, so the zone is named. */
export function sayTime(atMs: number, time: TimeFormat): string {
  return sayParts(atMs, time, {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'long',
  });
}

/** `Friday, November 20`, for a subject. */
export function sayDay(atMs: number, { locale, zone }: TimeFormat): string {
  return sayParts(atMs, { locale, zone }, { weekday: 'long', month: 'long', day: 'numeric' });
}

const formats = new Map<string, Intl.DateTimeFormat>();
const mostFormats = 500;

/** These parts of a time. A format is made once: making it takes 250 us, using it 1. */
export function sayParts(
  atMs: number,
  { locale, zone, timeFormat }: TimeFormat,
  parts: Intl.DateTimeFormatOptions,
): string {
  const hourCycle = parts.hour === undefined ? undefined : timeFormat && cycles[timeFormat];
  const options = { ...parts, timeZone: zone, ...(hourCycle === undefined ? {} : { hourCycle }) };
  const key = `${locale} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (format === undefined) {
    if (formats.size >= mostFormats) formats.clear();
    format = new Intl.DateTimeFormat(chooseTongue([locale]).locale, options);
    formats.set(key, format);
  }
  return format.format(atMs);
}

const cycles = { '12h': 'h12', '24h': 'h23' } as const;
