import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inTurn } from './in-turn.ts';

test('a keyed mutex runs one task at a time in order, whatever becomes of earlier tasks', async () => {
  const of = {};
  const acted: number[] = [];
  let acting = 0;
  const all = Array.from({ length: 6 }, (_, n) =>
    inTurn(of, 'slot', null, async () => {
      acting += 1;
      expect(acting).toBe(1);
      await tick();
      acted.push(n);
      acting -= 1;
      if (n % 2 === 0) throw new Error(`${n}`);
      return n;
    }),
  );
  const outcomes = await Promise.allSettled(all);
  expect(acted).toEqual([0, 1, 2, 3, 4, 5]);
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([false, true, false, true, false, true]);
});

test('waiting tasks learn from one shared check that they are too late, and the first runs no check', async () => {
  const of = {};
  let looks = 0;
  let isTaken = false;
  const look = async () => {
    looks += 1;
    await tick();
    if (isTaken) throw new Error('taken');
  };
  const take = async () => {
    await tick();
    isTaken = true;
    return 'mine';
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => inTurn(of, 'slot', look, take)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', ...Array<string>(49).fill('rejected')]);
  expect(looks).toBe(1);
});

test('a check in a keyed mutex is newer than its waiters and than the last task', async () => {
  const of = {};
  let left = 3;
  let looks = 0;
  const look = async () => {
    looks += 1;
    await tick();
    if (left === 0) throw new Error('full');
  };
  const take = async () => {
    left -= 1;
    await tick();
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => inTurn(of, 'seats', look, take)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(3);
  expect(left).toBe(0);
  // before the second and the third act, and one for all who were too late
  expect(looks).toBe(3);

  const first = inTurn(of, 'seats', look, () => tick());
  const second = inTurn(of, 'seats', look, () => tick());
  second.catch(() => undefined);
  await first;
  // the look for the second began before this one came
  const third = inTurn(of, 'seats', look, () => tick());
  await expect(second).rejects.toThrow('full');
  await expect(third).rejects.toThrow('full');
  expect(looks).toBe(5);
});
