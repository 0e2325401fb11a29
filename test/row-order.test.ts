import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Each text of SQL in a source, without the texts inside its expressions. */
const sqlTexts = (source: string) =>
  [...source.matchAll(/sql(?:<[^`]*?>)?`((?:[^`\\]|\\.)*?)`/gs)].map(([, text = '']) => text);

const writesMany = (text: string) =>
  /\bon conflict\b[^;]*\bdo update\b/is.test(text) && /\b(?:unnest|recordset)\b/i.test(text);
const isSorted = (text: string) => /\border by\b[^;]*\bon conflict\b/is.test(text);

test('a statement that inserts or updates several rows has an order, so that two of them never wait for each other', () => {
  const found = globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !path.includes('.test.'))
    .flatMap((path) => sqlTexts(readFileSync(join(root, path), 'utf8')).map((text) => ({ path, text })))
    .filter(({ text }) => writesMany(text));
  expect(found.length).toBeGreaterThan(5);
  expect(
    found.filter(({ text }) => !isSorted(text)).map(({ path, text }) => `${path}: ${text.trim().slice(0, 80)}`),
  ).toEqual([]);
});

/** Lists that are made into one value, without what is in their parentheses by an order. */
const listsWithoutOrder = (text: string) =>
  [...text.matchAll(/\b(?:array|jsonb|string)_agg(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))/g)].filter(
    ([, inside = '']) => !/\border by\b|\(distinct\b/.test(inside),
  );

/** Sets: their readers sort them, or compare them as sets. */
const sets = ['availability/store/hours-reading.ts', 'booking/store/watched.ts', 'calendar/store/spans.ts'];

test('a list that people read has the same order each time', () => {
  const sources = globSync('src/features/**/*.ts', { cwd: root })
    .filter((path) => !path.includes('.test.') && !sets.some((set) => path.endsWith(set)))
    .map((path) => ({ path, texts: sqlTexts(readFileSync(join(root, path), 'utf8')) }));
  expect(sources.filter(({ texts }) => texts.some((text) => listsWithoutOrder(text).length > 0))).toEqual([]);
  // lists of troubles for mails and the console
  const troubles = sources.find(({ path }) => path.endsWith('sync/store/troubles.ts'))?.texts ?? [];
  const lists = troubles.filter((text) => /^\s*select\b/.test(text) && /\bfrom sync\./.test(text));
  expect(lists.length).toBeGreaterThan(4);
  expect(lists.filter((text) => !/\border by\b/.test(text))).toEqual([]);
});

test('the check for an order finds a statement without one', () => {
  const [upsert = ''] = sqlTexts('sql`insert into a (b) select unnest($1) on conflict (b) do update set c = 1`');
  expect([writesMany(upsert), isSorted(upsert)]).toEqual([true, false]);
  expect(isSorted(upsert.replace(' on conflict', ' order by 1 on conflict'))).toBe(true);
});
