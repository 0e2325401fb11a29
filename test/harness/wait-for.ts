import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks until the answer is neither false, null nor undefined, and gives that answer. A probe that throws is asked again.
 * `state` says what is waited for: it stands in the error when time is up.
 */
export async function waitFor<Answer>(
  state: string,
  probe: () => Answer | Promise<Answer>,
  { timeoutMs = 30_000, intervalMs = 20 }: { timeoutMs?: number; intervalMs?: number } = {},
): Promise<Exclude<Answer, false | null | undefined>> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    let cause: unknown;
    try {
      const answer = await probe();
      if (answer !== false && answer !== null && answer !== undefined)
        return answer as Exclude<Answer, false | null | undefined>;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > endMs) throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${state}`, { cause });
    await sleep(intervalMs);
  }
}
