import { expect, test } from 'vitest';
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
