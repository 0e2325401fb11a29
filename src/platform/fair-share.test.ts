import { expect, test } from 'vitest';
import { createFairShare, type JobPlace, JobShares } from './fair-share.ts';

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

const signal = () => new AbortController().signal;
const sharesOf = (most: number, onWaiting: () => void = () => undefined) =>
  new JobShares(most, async (payload) => (payload as { owner: string | null }).owner, onWaiting);

async function enter(shares: JobShares, owner: string | null, key: string): Promise<JobPlace> {
  const place = await shares.enter({ owner }, key, signal());
  if (typeof place === 'number') throw new Error('the job went back to the queue');
  return place;
}

test('jobs past the share of their owner wait, in order, and others begin meanwhile', async () => {
  let told = 0;
  const shares = sharesOf(2, () => {
    told += 1;
  });
  const first = await enter(shares, 'ada', 'a1');
  await enter(shares, 'ada', 'a2');
  const begun: string[] = [];
  const later = ['a3', 'a4'].map((key) => enter(shares, 'ada', key).then(() => void begun.push(key)));
  await enter(shares, 'ben', 'b1');
  await enter(shares, null, 'nobody');
  expect([begun, shares.waiting, told]).toEqual([[], 2, 2]);
  first.leave(5);
  await later[0];
  expect([begun, shares.waiting]).toEqual([['a3'], 1]);
});

test('an owner whose job took more than ten seconds has one place until a job is quicker', async () => {
  const shares = sharesOf(2);
  const [silent, other] = [await enter(shares, 'ada', 'a1'), await enter(shares, 'ada', 'a2')];
  silent.leave(30_000);
  const begun: string[] = [];
  const third = enter(shares, 'ada', 'a3').then((place) => {
    begun.push('a3');
    return place;
  });
  const fourth = enter(shares, 'ada', 'a4').then((place) => {
    begun.push('a4');
    return place;
  });
  await enter(shares, 'ben', 'b1');
  expect(begun).toEqual([]);
  other.leave(30_000);
  (await third).leave(100);
  await fourth;
  await enter(shares, 'ada', 'a5');
  expect(begun).toEqual(['a3', 'a4']);
});

test('of 500 jobs of one owner 32 wait here, and the others go back for longer and longer', async () => {
  const shares = sharesOf(1);
  await enter(shares, 'ada', 'a0');
  const waiting = Array.from({ length: 32 }, (_, n) => shares.enter({ owner: 'ada' }, `w${n}`, signal()));
  await Promise.resolve();
  const back = await Promise.all(
    Array.from({ length: 500 }, (_, n) => shares.enter({ owner: 'ada' }, `b${n}`, signal())),
  );
  expect(back.every((ms) => typeof ms === 'number' && ms >= 4_900)).toBe(true);
  // 20 a second
  expect(back.at(-1)).toBeGreaterThan(29_000);
  expect(shares.waiting).toBe(32);
  expect(waiting).toHaveLength(32);
});

test('a job that waits when its process stops is not begun', async () => {
  const shares = sharesOf(1);
  await enter(shares, 'ada', 'a1');
  const stop = new AbortController();
  const second = shares.enter({ owner: 'ada' }, 'a2', stop.signal);
  await enter(shares, 'ben', 'b1');
  stop.abort(new Error('the process stops'));
  await expect(second).rejects.toThrow('the process stops');
  expect(shares.waiting).toBe(0);
});
