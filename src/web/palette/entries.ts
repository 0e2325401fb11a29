import type { IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { foldText } from '#kernel/text/fold-text.ts';

/** In the order in which they stand where nothing else decides. */
export const groups = [
  'recent',
  'time',
  'events',
  'meetings',
  'people',
  'contacts',
  'calendars',
  'links',
  'actions',
  'places',
  'settings',
  'help',
] as const;
export type Group = (typeof groups)[number];

/** A line of the palette: something found, or something to do. */
export interface Entry {
  id: string;
  group: Group;
  title: string;
  detail?: string;
  /** An icon, or the colour of a calendar. */
  mark: ComponentType<IconProps> | string;
  /** Keys that do the same. */
  keys?: string;
  /** Other words for it. */
  also?: string;
  run: () => void;
}

export interface EntryGroup {
  group: Group;
  entries: Entry[];
}

/** How well an entry fits the words, 0 best: its title, its beginning, its words, other words; null where it does not. */
export function rankOf({ title, detail = '', also = '' }: Entry, typed: string): number | null {
  const wanted = foldText(typed);
  const words = wanted.split(' ');
  const name = ` ${foldText(title)}`;
  if (name === ` ${wanted}`) return 0;
  if (name.startsWith(` ${wanted}`)) return 1;
  const hasAll = (text: string) => words.every((word) => text.includes(` ${word}`));
  if (hasAll(name)) return 2;
  return hasAll(`${name} ${foldText(detail)} ${foldText(also)}`) ? 3 : null;
}

/** Returns the matching entries, best first; equal ones keep their order. */
export function chooseEntries(entries: readonly Entry[], typed: string, most: number): Entry[] {
  const ranked = entries.flatMap((entry) => {
    const rank = rankOf(entry, typed);
    return rank === null ? [] : [{ entry, rank }];
  });
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ entry }) => entry);
}

/** Groups as they are shown: those with an entry that begins as typed before the others. */
export function groupEntries(entries: readonly Entry[], typed: string): EntryGroup[] {
  const found = groups.flatMap((group): EntryGroup[] => {
    const own = entries.filter((entry) => entry.group === group);
    return own.length === 0 ? [] : [{ group, entries: own }];
  });
  if (foldText(typed) === '') return found;
  const best = ({ entries: own }: EntryGroup) => Math.min(...own.map((entry) => rankOf(entry, typed) ?? 4));
  const tier = (one: EntryGroup) => (one.group === 'time' ? -1 : best(one) <= 1 ? 0 : 1);
  return found.sort((one, other) => tier(one) - tier(other));
}

/** A title cut into what was typed and what was not: beginnings of words. */
export function markWords(title: string, typed: string): { text: string; isTyped: boolean }[] {
  const wanted = foldText(typed).split(' ').filter(Boolean);
  return title.split(/([^\p{L}\p{N}\p{M}]+)/u).flatMap((word) => {
    const folded = foldText(word);
    const begun = wanted.filter((one) => folded.startsWith(one)).sort((one, other) => other.length - one.length)[0];
    if (begun === undefined || folded === '') return word === '' ? [] : [{ text: word, isTyped: false }];
    let end = 0;
    const letters = [...word];
    while (end < letters.length && foldText(letters.slice(0, end).join('')).length < begun.length) end += 1;
    const rest = letters.slice(end).join('');
    return [
      { text: letters.slice(0, end).join(''), isTyped: true },
      ...(rest === '' ? [] : [{ text: rest, isTyped: false }]),
    ];
  });
}
