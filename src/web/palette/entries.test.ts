import { expect, test } from 'vitest';
import { chooseEntries, type Entry, type Group, groupEntries, markWords } from './entries.ts';

const entry = (title: string, group: Group = 'actions', more: Partial<Entry> = {}): Entry => ({
  id: title,
  group,
  title,
  mark: '#000000',
  run: () => undefined,
  ...more,
});
const titlesOf = (entries: readonly Entry[]) => entries.map(({ title }) => title);

test('palette entries rank by title prefix, then word prefix, then alias', () => {
  const all = [entry('Switch to dark', 'actions', { also: 'theme day' }), entry('Next day'), entry('Day view')];
  expect(titlesOf(chooseEntries(all, 'DAY', 5))).toEqual(['Day view', 'Next day', 'Switch to dark']);
  expect(titlesOf(chooseEntries(all, 'ay', 5))).toEqual([]);
  expect(titlesOf(chooseEntries(all, 'view day', 5))).toEqual(['Day view']);
});

test('a palette group with a title that begins with the query comes before the others', () => {
  const all = [entry('Team meeting', 'events'), entry('Meetings', 'places'), entry('Fri 13:00', 'time')];
  expect(groupEntries(all, 'mee').map(({ group }) => group)).toEqual(['time', 'places', 'events']);
  expect(groupEntries(all, '').map(({ group }) => group)).toEqual(['time', 'events', 'places']);
});

test('matched words are marked in palette titles, accents included', () => {
  const marked = (title: string, typed: string) =>
    markWords(title, typed)
      .map(({ text, isTyped }) => (isTyped ? `[${text}]` : text))
      .join('');
  expect(marked('Déjeuner à Łódź', 'dej lodz')).toBe('[Déj]euner à [Łódź]');
  expect(marked('Straße', 'stras')).toBe('[Straß]e');
  expect(marked('1:1 – Priya', 'pri')).toBe('1:1 – [Pri]ya');
  expect(marked('Nothing', '')).toBe('Nothing');
});
