import { expect, test } from 'vitest';
import { mostTags } from '../rules.ts';
import { readCsv } from './csv.ts';

/** The turns of the event loop that others have while `work` runs. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isOver = true;
  return turns;
}

test('a CSV file is parsed in pieces, and others have their turn of the event loop between them', async () => {
  for (const text of [
    `email,${'b'.repeat(400)}\n`.repeat(5_000),
    '\n'.repeat(2_000_000),
    `email\n"${'x'.repeat(90_000)}"\n`.repeat(20),
  ])
    expect(await turnsDuring(readCsv(text))).toBeGreaterThan(20);
});

test('a CSV file is read to some rows past its limit, in whatever pieces they come', async () => {
  const rows = await readCsv(
    `name,email\n${Array.from({ length: 9_000 }, (_, n) => `"É, ${n}",p${n}@x.org\n`).join('')}`,
  );
  expect(rows?.map(({ name, address }) => [name, address])).toEqual(
    Array.from({ length: 5_199 }, (_, n) => [`É, ${n}`, `p${n}@x.org`]),
  );
});

test.each([
  ['its head', (columns: number) => `email${','.repeat(columns - 1)}\nann@x.org\n`],
  ['a row', (columns: number) => `email\nann@x.org${','.repeat(columns - 1)}\n`],
])('a CSV file with 1,900,000 columns in %s is refused where it has more than 200', async (_, file) => {
  expect(await readCsv(file(200))).toMatchObject([{ address: 'ann@x.org' }]);
  await expect(readCsv(file(201))).rejects.toMatchObject({ code: 'TOO_MANY_COLUMNS' });
  const reading = readCsv(file(1_900_000)).catch((error: { code: string }) => error.code);
  // a turn for each of the 232 pieces, if all were read
  expect(await turnsDuring(reading)).toBeLessThan(10);
  expect(await reading).toBe('TOO_MANY_COLUMNS');
});

test('of the tags in a row twice as many are read as a contact can have', async () => {
  const rows = await readCsv(`email,tags\nann@x.org,"${'a;'.repeat(180)}"\n`);
  expect(rows?.[0]?.tags).toHaveLength(2 * mostTags);
});

test.each([',', ';', '\t'])('the columns of a CSV file are found where %j is between them', async (sign) => {
  const file = [`notes, other; more\tthan one`.replace(sign, ' '), 'email', 'email', 'name', 'tags', ''];
  const rows = await readCsv(`${file.join(sign)}\n${['Hi', 'ann@x.org', 'bob@x.org', 'Ann', 'a'].join(sign)}\n`);
  expect(rows).toMatchObject([{ address: 'ann@x.org', name: 'Ann', tags: ['a'] }]);
});
