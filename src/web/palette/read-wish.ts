import { trimOf } from '#kernel/text/trim-text.ts';
import { zoneOfPlace } from '#kernel/time/place-zones.ts';
import { japanesePatterns } from './japanese-patterns.ts';
import { patternsOf } from './time-patterns.ts';
import { english, french, german, spanish, type TimeWords } from './time-words.ts';
import type { Draft, Patterns, Wish } from './wish-parts.ts';

/** When, where and in which language it is read. */
export interface Reading {
  nowMs: number;
  zone: string;
  /** 3/12 is the twelfth of March. */
  monthFirst: boolean;
  /** BCP 47 tag; an unsupported language is read as English. */
  language: string;
}

interface Grammar {
  patterns: Patterns;
  /** At the beginning: what an event is not called. */
  verbs: RegExp;
  /** Left over at the end. */
  loose: RegExp;
}

const grammarOf = (words: TimeWords): Grammar => ({
  patterns: patternsOf(words),
  verbs: new RegExp(`^(?:${words.verbs})(?=\\s+\\S)`, 'iu'),
  loose: new RegExp(`(?:^| )(?:${words.loose}|@|,|-|–)$`, 'iu'),
});

const japanese = (): Grammar => ({
  patterns: japanesePatterns,
  verbs: /(?:を?(?:作成|追加)(?:する)?|(?:へ|に)?(?:移動|行く))$/u,
  loose: /(?:に|から|の|で|、)$/u,
});

const makers: Record<string, () => Grammar> = {
  de: () => grammarOf(german),
  es: () => grammarOf(spanish),
  fr: () => grammarOf(french),
  ja: japanese,
};
const made = new Map<string, Grammar>();

function findGrammar(language: string): Grammar {
  const tag = language.split('-')[0] ?? '';
  const grammar = made.get(tag) ?? (makers[tag] ?? (() => grammarOf(english)))();
  made.set(tag, grammar);
  return grammar;
}

/** Takes apart what was typed. Pure: the same text, moment, zone and language give the same wish. */
export function readWish(typed: string, reading: Reading): Wish {
  const { patterns, verbs, loose } = findGrammar(reading.language);
  const now = Temporal.Instant.fromEpochMilliseconds(reading.nowMs).toZonedDateTimeISO(reading.zone);
  const wish: Draft = {
    day: null,
    time: null,
    minutes: null,
    place: null,
    now,
    today: now.toPlainDate(),
    monthFirst: reading.monthFirst,
  };
  // a figure of full width is a figure
  let rest = typed.normalize('NFKC').trim().replace(verbs, '');
  for (const [sign, take] of patterns) {
    const before = wish.time;
    const match = sign.exec(rest);
    if (match === null || !take(wish, [...match])) continue;
    let after = rest.slice(match.index + match[0].length);
    if (wish.time !== before) after = takePlace(wish, after, reading.language);
    rest = `${rest.slice(0, match.index)} ${after}`;
  }
  const { day, time, minutes: length, place } = wish;
  return { title: tidy(rest, loose), day, time, minutes: length, place };
}

/** When a wish begins and ends, where it is read; null where it says nothing of a time. */
export function momentOf(wish: Wish, reading: Reading): { start: Temporal.ZonedDateTime; minutes: number } | null {
  if (wish.day === null && wish.time === null) return null;
  const now = Temporal.Instant.fromEpochMilliseconds(reading.nowMs).toZonedDateTimeISO(
    wish.place?.zone ?? reading.zone,
  );
  const time = wish.time ?? { hour: 9, minute: 0 };
  const at = (day: Temporal.PlainDate) => day.toPlainDateTime(time).toZonedDateTime(now.timeZoneId);
  let start = at(wish.day ?? now.toPlainDate());
  // a time alone is the next time that clock shows it
  if (wish.day === null && start.epochMilliseconds <= reading.nowMs) start = at(now.toPlainDate().add({ days: 1 }));
  return { start: start.withTimeZone(reading.zone), minutes: wish.minutes ?? 60 };
}

/** `9am Tokyo`: one to three words that are a place. */
function takePlace(wish: Draft, after: string, language: string): string {
  // common words elsewhere
  const isMeant = (name: string) => language.startsWith('en') || !/^(?:la|et|ist)$/.test(name);
  const words = /^\s+((?:[\p{L}.'-]+\s?){1,3})/u.exec(after)?.[1]?.trim().split(/\s+/u) ?? [];
  for (let count = words.length; count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ');
    const zone = zoneOfPlace(name);
    if (zone === undefined || !isMeant(name)) continue;
    wish.place = { name, zone };
    return after.slice(after.indexOf(name) + name.length).replace(/^\s+time\b/i, '');
  }
  return after;
}

function tidy(rest: string, loose: RegExp): string {
  const words = rest.replace(/\s+/gu, ' ').trim();
  return trimOf(words.replace(loose, ''), ' \t\n,;–-');
}
