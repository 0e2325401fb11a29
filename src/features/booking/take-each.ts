import { isRefusal, RefusedTime } from './rules/slot-refusal.ts';
import type { Time } from './rules/wanted-time.ts';

/** Runs `take` for each of several times in turn; a refusal says of which. */
export async function takeEach<T>(
  times: readonly Time[],
  take: (time: Time, n: number, before: readonly T[]) => Promise<T>,
): Promise<T[]> {
  const taken: T[] = [];
  for (const [n, time] of times.entries()) {
    try {
      taken.push(await take(time, n, taken));
    } catch (error) {
      throw isRefusal(error) ? new RefusedTime(error, time) : error;
    }
  }
  return taken;
}
