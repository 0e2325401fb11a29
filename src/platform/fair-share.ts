import { AppError } from '#kernel/errors.ts';

/** Calls of one caller that wait for their turn; more are refused. */
const mostWaiting = 200;

interface Line {
  running: number;
  waiting: (() => void)[];
}

export interface FairShare {
  /**
   * Carries out an act of a caller: a few at a time, the others in the order they came.
   * *Errors*: what `act` throws; AppError limited (`LIMITED`) where too many wait.
   */
  run<T>(caller: string, act: () => Promise<T>): Promise<T>;
}

/** Leaves database connections to others, however much one caller asks for. In this process. */
export function createFairShare(most: number): FairShare {
  const lines = new Map<string, Line>();
  return {
    async run(caller, act) {
      const line = lines.get(caller) ?? { running: 0, waiting: [] };
      lines.set(caller, line);
      if (line.running < most) line.running += 1;
      else if (line.waiting.length < mostWaiting) {
        const turn = Promise.withResolvers<void>();
        line.waiting.push(turn.resolve);
        await turn.promise;
      } else
        throw new AppError('limited', 'LIMITED', 'Too many requests. Try again in a moment.', { retryAfterMs: 1_000 });
      try {
        return await act();
      } finally {
        const next = line.waiting.shift();
        if (next !== undefined) next();
        else if (--line.running === 0) lines.delete(caller);
      }
    },
  };
}
