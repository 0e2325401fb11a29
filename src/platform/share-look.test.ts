import { expect, test } from 'vitest';
import { shareLook } from './share-look.ts';

/** Looks that end when they are told to, with the number of their beginning. */
function stagedLooks() {
  const begun: PromiseWithResolvers<number>[] = [];
  const look = () => {
    begun.push(Promise.withResolvers<number>());
    return begun[begun.length - 1]!.promise;
  };
  return { begun, look };
}

test('singleflight callers during a running fetch share the next fetch', async () => {
  const of = {};
  const { begun, look } = stagedLooks();
  const first = shareLook(of, 'slot', look);
  const others = [shareLook(of, 'slot', look), shareLook(of, 'slot', look), shareLook(of, 'slot', look)];
  expect(begun.length).toBe(1);
  begun[0]!.resolve(1);
  expect(await first).toBe(1);
  await expect.poll(() => begun.length).toBe(2);
  const late = shareLook(of, 'slot', look);
  begun[1]!.resolve(2);
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  await expect.poll(() => begun.length).toBe(3);
  begun[2]!.resolve(3);
  expect(await late).toBe(3);
  const after = shareLook(of, 'slot', look);
  expect(begun.length).toBe(4);
  begun[3]!.resolve(4);
  expect(await after).toBe(4);
});

test('a failed singleflight fetch rejects its own callers, and later callers fetch again', async () => {
  const of = {};
  const { begun, look } = stagedLooks();
  const first = shareLook(of, 'slot', look);
  const second = shareLook(of, 'slot', look);
  begun[0]!.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await expect.poll(() => begun.length).toBe(2);
  begun[1]!.resolve(2);
  expect(await second).toBe(2);
});

test('a singleflight fetch is not shared with another key or owner', async () => {
  const of = {};
  const { begun, look } = stagedLooks();
  const all = [shareLook(of, 'a', look), shareLook(of, 'b', look), shareLook({}, 'a', look)];
  expect(begun.length).toBe(3);
  for (const [n, { resolve }] of begun.entries()) resolve(n);
  expect(await Promise.all(all)).toEqual([0, 1, 2]);
});
