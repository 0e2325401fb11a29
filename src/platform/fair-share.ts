import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { AppError } from '#kernel/errors.ts';

const callers = new AsyncLocalStorage<string>();

/** Carries out an act, and all that follows from it, for a caller. */
export const actFor = <T>(caller: string, act: () => T): T => callers.run(caller, act);

/** Carries out an act that others wait for too, outside the share of the first who asked. */
export const actForAll = <T>(act: () => T): T => callers.exit(act);

/** Whether a call is still worth its work: a reader who hung up gets no answer, and a change is made all the same. */
export const isAwaited = (request: FastifyRequest) => request.method !== 'GET' || !request.socket.destroyed;

interface Line {
  running: number;
  waiting: (() => void)[];
}

export interface FairShare {
  /**
   * Carries out an act of a caller: a few at a time, the others in the order they came. An act that nobody wants any more
   * when its turn comes is left out. `isOver` of its outcome may keep its place for longer.
   * *Errors*: what `act` throws; AppError limited (`LIMITED`) where too many wait, or the act was left out.
   */
  run<T>(
    caller: string,
    act: () => Promise<T>,
    isWanted?: () => boolean,
    isOver?: (outcome: T) => Promise<void> | null,
  ): Promise<T>;
}

/**
 * Leaves room to others, however much one caller asks for. In this process. `most` acts of a caller run at a time, and
 * `mostWaiting` wait for their turn; more are refused.
 */
export function createFairShare(most: number, mostWaiting = 200): FairShare {
  const lines = new Map<string, Line>();
  const refuse = () =>
    new AppError('limited', 'LIMITED', 'Too many requests. Try again in a moment.', { retryAfterMs: 1_000 });
  return {
    async run(caller, act, isWanted = () => true, isOver = () => null) {
      const line = lines.get(caller) ?? { running: 0, waiting: [] };
      lines.set(caller, line);
      if (line.running < most) line.running += 1;
      else if (line.waiting.length < mostWaiting) {
        const turn = Promise.withResolvers<void>();
        line.waiting.push(turn.resolve);
        await turn.promise;
      } else throw refuse();
      const leave = () => {
        const next = line.waiting.shift();
        if (next !== undefined) next();
        else if (--line.running === 0) lines.delete(caller);
      };
      let over: Promise<void> | null = null;
      try {
        if (!isWanted()) throw refuse();
        const outcome = await act();
        over = isOver(outcome);
        return outcome;
      } finally {
        if (over === null) leave();
        else over.then(leave, leave);
      }
    },
  };
}

/**
 * Connections of one caller at a time, of ten. One call may ask several things together, so fewer calls at a time are not
 * enough. More than calls at a time: each of them may hold one, and need another.
 */
const connectionsOfCaller = 6;

export type ConnectionPool = Pick<pg.Pool, 'end' | 'options'> & { connect(): Promise<pg.PoolClient> };

/** A pool that leaves connections to others, however many the current caller asks for. */
export function shareConnections(pool: pg.Pool): ConnectionPool {
  const share = createFairShare(connectionsOfCaller, Number.POSITIVE_INFINITY);
  const enter = async (): Promise<() => void> => {
    const caller = callers.getStore();
    // jobs
    if (caller === undefined) return () => undefined;
    return new Promise((resolve, reject) => {
      share.run(caller, () => new Promise<void>((leave) => resolve(leave))).catch(reject);
    });
  };
  return {
    async connect() {
      const leave = await enter();
      const client = await pool.connect().catch((error: unknown) => {
        leave();
        throw error;
      });
      const release = client.release.bind(client);
      client.release = (...given) => {
        release(...given);
        leave();
      };
      return client;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}
