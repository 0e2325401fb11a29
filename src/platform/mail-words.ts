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

const dayParts = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const;
const clockParts = { hour: 'numeric', minute: '2-digit' } as const;

/** `Friday, November 20, 2026 at 3:00 PM, Vienna (GMT+1)`: a mail is read anywhere, so the zone is named. */
export function sayTime(atMs: number, time: TimeFormat): string {
  return withZone(sayParts(atMs, time, { ...dayParts, ...clockParts }), atMs, time);
}

interface Range {
  startMs: number;
  endMs: number;
}

/** Day and hours on two lines: `Friday, November 20, 2026` and `3:00 – 3:30 PM, Vienna (GMT+1)`. */
export function sayRange(range: Range, time: TimeFormat): string {
  const { startMs, endMs } = range;
  if (dayOf(startMs, time) === dayOf(endMs, time))
    return `${sayParts(startMs, time, dayParts)}\n${sayHours(range, time, { hasZone: true })}`;
  const { start, end } = sayEnds(range, time, { ...dayParts, ...clockParts });
  return `${start} –\n${end}`;
}

/** The same on one line, for a list: `Fri, Nov 20, 2026, 3:00 – 3:30 PM, Vienna (GMT+1)`, or without its zone. */
export function sayShortRange(range: Range, time: TimeFormat, { hasZone = true }: { hasZone?: boolean } = {}): string {
  const { startMs, endMs } = range;
  const day = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const;
  if (dayOf(startMs, time) === dayOf(endMs, time))
    return `${sayParts(startMs, time, day)}${comma(time)}${sayHours(range, time, { hasZone })}`;
  const { start, end } = sayEnds(range, time, { ...day, ...clockParts }, { hasZone });
  return `${start} – ${end}`;
}

function sayHours(range: Range, time: TimeFormat, { hasZone }: { hasZone: boolean }): string {
  const { startMs, endMs } = range;
  const { start, end } = sayEnds(range, time, clockParts, { hasZone });
  const isApart = offsetAt(startMs, time) !== offsetAt(endMs, time);
  // a range says `AM` once; of plain hours it writes others than a time alone: `09:00`, `9時00分`
  if (!isApart && /[^\d:.]/.test(sayParts(startMs, time, clockParts))) {
    const hours = plain(formatOf(time, clockParts).formatRange(startMs, endMs));
    return hasZone ? withZone(hours, startMs, time) : hours;
  }
  return isLatin(time) ? `${start} – ${end}` : `${start}～${end}`;
}

/** Both ends of a range, with the zone after the last; with an offset each, where the clocks change between them. */
function sayEnds(
  { startMs, endMs }: Range,
  time: TimeFormat,
  parts: Intl.DateTimeFormatOptions,
  { hasZone = true }: { hasZone?: boolean } = {},
): { start: string; end: string } {
  const [start = '', end = ''] = [startMs, endMs].map((ms) => sayParts(ms, time, parts));
  const [before, after] = [startMs, endMs].map((ms) => offsetAt(ms, time));
  if (before === after) return { start, end: hasZone ? withZone(end, endMs, time) : end };
  const city = hasZone ? cityOf(time) : null;
  return {
    start: `${start} (${before})`,
    end: `${end} (${after})${city === null ? '' : `${comma(time)}${city}`}`,
  };
}

const dayOf = (ms: number, { zone }: TimeFormat) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString();

/** Whether the words of a mail are in Latin letters, with their punctuation. */
const isLatin = (time: Pick<TimeFormat, 'locale'>) =>
  new Intl.Locale(chooseTongue([time.locale]).locale).maximize().script === 'Latn';

/** `Fri, Nov 20, 3:00 PM`, for a subject or a sentence. */
export function sayMoment(atMs: number, time: TimeFormat): string {
  return sayParts(atMs, time, { weekday: 'short', month: 'short', day: 'numeric', ...clockParts });
}

/** `Fri, Nov 20, 3:00 PM (GMT+1)`: a deadline in a sentence, with the offset that the times beside it have. */
export const sayDeadline = (atMs: number, time: TimeFormat): string =>
  `${sayMoment(atMs, time)} (${offsetAt(atMs, time)})`;

const comma = (time: TimeFormat) => (isLatin(time) ? ', ' : ' ');

const withZone = (text: string, atMs: number, time: TimeFormat) => `${text}${comma(time)}${sayZone(atMs, time)}`;

/** Several sentences as one text. */
export const joinSentences = (sentences: readonly string[], locale: string): string =>
  sentences.join(isLatin({ locale }) ? ' ' : '');

/** The city of a zone with its offset, as on the pages: `Vienna (GMT+1)`. */
export function sayZone(atMs: number, time: TimeFormat): string {
  const city = cityOf(time);
  const offset = offsetAt(atMs, time);
  if (city === null) return offset;
  return isLatin(time) ? `${city} (${offset})` : `${city}（${offset}）`;
}

const cityOf = ({ zone }: TimeFormat): string | null =>
  /^(?!Etc\/)[^/]+\/(?:.*\/)?([^/]+)$/.exec(zone)?.[1]?.replaceAll('_', ' ') ?? null;

/** `GMT+1` in each language, as the pages write it. */
const offsetAt = (atMs: number, time: TimeFormat): string =>
  asOnPages(
    formatOf({ locale: time.locale, zone: time.zone }, { timeZoneName: 'shortOffset' })
      .formatToParts(atMs)
      .find(({ type }) => type === 'timeZoneName')?.value ?? time.zone,
  ).replace(/[+-]0$/, '');

/** Intl writes `UTC−5` in French. */
const asOnPages = (offset: string) => offset.replace(/\bUTC(?=[+\u2212-]|$)/, 'GMT').replace(/\u2212(?=[\d:]+$)/, '-');

/** `3:00 PM EST`, for a sentence. */
export function sayClock(atMs: number, time: TimeFormat): string {
  return asOnPages(sayParts(atMs, time, { ...clockParts, timeZoneName: 'short' }));
}

/** With plain blanks: some programs show the narrow ones of times as boxes. */
const plain = (text: string) => text.replace(/[\u2009\u202f]/g, ' ');

/** `1,234` or `12.5%`, as the reader's language writes it. */
export function sayNumber(value: number, locale: string, options: Intl.NumberFormatOptions = {}): string {
  const format = new Intl.NumberFormat(chooseTongue([locale]).locale, { maximumFractionDigits: 1, ...options });
  return plain(format.format(value));
}

const formats = new Map<string, Intl.DateTimeFormat>();
const mostFormats = 500;

/** Formats these parts of a time. */
export function sayParts(atMs: number, time: TimeFormat, parts: Intl.DateTimeFormatOptions): string {
  return plain(formatOf(time, parts).format(atMs));
}

/** A format is made once: making it takes 250 us, using it 1. */
function formatOf({ locale, zone, timeFormat }: TimeFormat, parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const hourCycle = parts.hour === undefined ? undefined : timeFormat && cycles[timeFormat];
  const options = { ...parts, timeZone: zone, ...(hourCycle === undefined ? {} : { hourCycle }) };
  const key = `${locale} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (format === undefined) {
    if (formats.size >= mostFormats) formats.clear();
    format = new Intl.DateTimeFormat(chooseTongue([locale]).locale, options);
    formats.set(key, format);
  }
  return format;
}

const cycles = { '12h': 'h12', '24h': 'h23' } as const;
