import { expect, test } from 'vitest';
import { createFairShare } from './fair-share.ts';

const act = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { run: () => promise, resolve, reject };
};

test('a caller has two acts at a time, in the order they came, and others do not wait', async () => {
  const share = createFairShare(2);
  const begun: string[] = [];
  const acts = { a1: act(), a2: act(), a3: act(), a4: act(), b1: act() };
  const results = Object.entries(acts).map(([name, { run }]) =>
    share.run(name.slice(0, 1), () => {
      begun.push(name);
      return run();
    }),
  );
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  acts.a2.resolve('done');
  await results[1];
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  acts.a1.reject(new Error('no'));
  await expect(results[0]).rejects.toThrow('no');
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  for (const one of Object.values(acts)) one.resolve('done');
  await Promise.allSettled(results);
  expect(await share.run('a', async () => 'again')).toBe('again');
});

test('a caller with two hundred acts that wait is refused, and gets its turn again once they are done', async () => {
  const share = createFairShare(1);
  const first = act();
  const waiting = [share.run('a', first.run), ...Array.from({ length: 200 }, () => share.run('a', async () => ''))];
  await expect(share.run('a', async () => '')).rejects.toMatchObject({ code: 'LIMITED' });
  await expect(share.run('b', async () => 'free')).resolves.toBe('free');
  first.resolve('done');
  await Promise.all(waiting);
  await expect(share.run('a', async () => 'free')).resolves.toBe('free');
});

test('an act that nobody wants any more is left out when its turn comes, and the next one follows', async () => {
  const share = createFairShare(1);
  const first = act();
  let isWanted = true;
  let acted = false;
  const running = share.run('a', first.run);
  const left = share.run(
    'a',
    async () => {
      acted = true;
    },
    () => isWanted,
  );
  const next = share.run('a', async () => 'next');
  isWanted = false;
  first.resolve('done');
  await expect(left).rejects.toMatchObject({ code: 'LIMITED' });
  expect([await running, await next, acted]).toEqual(['done', 'next', false]);
});

test('an act whose outcome is not taken keeps its place', async () => {
  const share = createFairShare(1);
  const taken = Promise.withResolvers<void>();
  const first = await share.run(
    'a',
    async () => 'long',
    () => true,
    () => taken.promise,
  );
  let begun = false;
  const next = share.run('a', async () => {
    begun = true;
  });
  await share.run('b', async () => undefined);
  expect([first, begun]).toEqual(['long', false]);
  taken.resolve();
  await next;
  expect(begun).toBe(true);
});
