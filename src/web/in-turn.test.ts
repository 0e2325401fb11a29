import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { inTurn } from '#ui/in-turn.ts';

it('a second mutation is sent after the first is answered, and the list is fetched after the last', async () => {
  const client = new QueryClient();
  const askAnew = vi.fn(async () => {});
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sent: number[] = [];
  const mutationFn = async (n: number) => {
    sent.push(n);
    await answers[n]?.promise;
  };
  const both = [0, 1].map((n) =>
    new MutationObserver(client, { mutationFn, ...inTurn(client, 'list', askAnew) }).mutate(n),
  );
  await expect.poll(() => sent).toEqual([0]);
  answers[0]?.resolve();
  await both[0];
  await expect.poll(() => sent).toEqual([0, 1]);
  expect(askAnew).not.toHaveBeenCalled();
  answers[1]?.resolve();
  await both[1];
  expect(askAnew).toHaveBeenCalledTimes(1);
});
