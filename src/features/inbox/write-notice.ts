import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '#kernel/languages.ts';
import { sayParts, type TimeFormat, wordsOf } from '#platform/mail-words.ts';
import { type Fact, placeOf, wordsFor } from './rules/notice.ts';

type Words = { kind: Record<string, string> };

const catalogues = join(import.meta.dirname, '../../web/locales');
/** The bell's own: a device says nothing else than the bell. */
const wordsIn = wordsOf<Words>(
  Object.fromEntries(
    languages.map((language) => [
      language,
      JSON.parse(readFileSync(join(catalogues, language, 'inbox.json'), 'utf8')) as Words,
    ]),
  ) as { en: Words },
);

const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const hour = { hour: 'numeric', minute: '2-digit' } as const;
/** More is not shown anywhere, and must fit into one message. */
const longestTitle = 150;
const longestBody = 300;

/** A notice as a device shows it, with the screen that it leads to. */
export function writeNotice(
  notice: Pick<Fact, 'kind' | 'details'>,
  reader: TimeFormat,
): { title: string; body: string; to: string } {
  const { details } = notice;
  const { key, values } = wordsFor(notice);
  const say = (atMs: number, parts: Intl.DateTimeFormatOptions) => sayParts(atMs, reader, parts);
  const [first] = details.events ?? [];
  const times = (details.events ?? []).map(({ start_time: start, end_time: end, calendar }) => {
    const [startMs, endMs] = [start, end].map(msOf) as [number, number];
    return `${say(startMs, hour)} – ${say(endMs, hour)} (${calendar})`;
  });
  const lines = [
    ...(first === undefined ? [] : [`${say(msOf(first.start_time), day)}: ${times.join(', ')}`]),
    ...(details.start_time === undefined ? [] : [say(msOf(details.start_time), { ...day, ...hour })]),
    ...(details.reason ? [details.reason] : []),
  ];
  const { to, search = {} } = placeOf(notice);
  const query = new URLSearchParams(search).toString();
  return {
    title: shorten(wordsIn(reader.locale)(`kind.${key}`, values), longestTitle),
    body: shorten(lines.join('\n'), longestBody),
    to: query === '' ? to : `${to}?${query}`,
  };
}

const msOf = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;

function shorten(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`;
}
