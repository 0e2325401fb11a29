import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Sliced, WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { inSlices, nextTurn } from './in-slices.ts';

const limits = { bytes: 0, steps: 0, instances: 0, milliseconds: 60_000 };

/** Longer than a slice. */
function busy(): void {
  const untilMs = performance.now() + 12;
  while (performance.now() < untilMs);
}

/** Notes what runs between its pauses. */
function* work(pieces: number, note: () => void): Sliced<string> {
  for (let n = 0; n < pieces; n += 1) {
    busy();
    note();
    yield;
  }
  return 'done';
}

test('others have their turn of the event loop between the slices of all work', async () => {
  const seen: string[] = [];
  let running = true;
  const others = async () => {
    while (running) {
      await setImmediate();
      seen.push('other');
    }
  };
  const watching = others();
  const all = ['a', 'b', 'c'].map((name) =>
    inSlices(
      work(4, () => seen.push(name)),
      new WorkBudget(limits),
    ),
  );
  expect(await Promise.all(all)).toEqual(['done', 'done', 'done']);
  running = false;
  await watching;
  // from the first turn on, no two slices follow each other without anybody in between
  const inTurns = seen.slice(seen.indexOf('other'));
  expect(inTurns.filter((one) => one !== 'other').length).toBeGreaterThan(8);
  expect(inTurns.some((one, at) => one !== 'other' && (inTurns[at + 1] ?? 'other') !== 'other')).toBe(false);
});

test('work past its computing time is refused at a pause, or ends with what it has', async () => {
  const short = () => new WorkBudget({ ...limits, milliseconds: 1 });
  await expect(
    inSlices(
      work(4, () => undefined),
      short(),
    ),
  ).rejects.toMatchObject({ limit: 'milliseconds' });
  function* patient(): Sliced<string> {
    try {
      return yield* work(4, () => undefined);
    } catch (error) {
      return error instanceof WorkLimitError ? 'cut' : 'failed';
    }
  }
  expect(await inSlices(patient(), short())).toBe('cut');
});

test('of work that waits for a turn the one with the least computing goes first, and of two alike the earlier', async () => {
  const order: string[] = [];
  const waits = [
    ['a long file', 300],
    ['a file', 100],
    ['a page', 0],
    ['another file', 100],
    ['another page', 0],
  ] as const;
  await Promise.all(
    waits.map(async ([name, usedMs]) => {
      await nextTurn(usedMs);
      order.push(name);
    }),
  );
  expect(order).toEqual(['a page', 'another page', 'a file', 'another file', 'a long file']);
});

test('work of several callers runs in separate turns of the event loop', async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) void setImmediate().then(count);
  };
  void setImmediate().then(count);
  const turns = await Promise.all(
    Array.from({ length: 6 }, async () => {
      await nextTurn();
      return turn;
    }),
  );
  isOver = true;
  expect(new Set(turns).size).toBe(6);
});
