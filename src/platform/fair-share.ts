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

/**
 * A limit for each owner of jobs that wait for servers of others, so that one owner's silent servers leave room. An owner
 * whose last job was slow runs one at a time. Jobs past the share wait, first here and then in the queue: they are sent again.
 */
export interface JobShare<Context, Payload> {
  /** Jobs of one owner at once in one process. */
  most: number;
  /** The owner, or null where nobody is; it follows from the payload alone. */
  ownerOf(app: Context, payload: Payload): Promise<string | null>;
}

/** An owner whose last job took longer runs one at a time until one is quicker. */
const slowMs = 10_000;
/** Jobs of one owner that wait here, and how long; further ones wait in the queue. */
const mostJobsWaiting = 32;
const mostWaitMs = 10_000;
/** A job that goes back to the queue waits there for so long, and so much longer than the one of its owner before it. */
const backMs = 5_000;
const stepMs = 50;
/** Owners remembered by key. */
const mostKnown = 20_000;

interface Owner {
  running: number;
  isSlow: boolean;
  waiting: (() => void)[];
  /** When the last of its jobs that went back is due. */
  backAtMs: number;
}

export interface JobPlace {
  leave(tookMs: number): void;
}

/** How many jobs of each owner run at once in one queue. In this process. */
export class JobShares {
  readonly #most: number;
  readonly #askOwner: (payload: unknown) => Promise<string | null>;
  readonly #owners = new Map<string, Owner>();
  readonly #known = new Map<string, string | null>();
  #waiting = 0;
  readonly #onWaiting: () => void;

  /** `onWaiting`: a claimed job waits, so there is room for one more. */
  constructor(most: number, askOwner: (payload: unknown) => Promise<string | null>, onWaiting: () => void) {
    this.#most = most;
    this.#askOwner = askOwner;
    this.#onWaiting = onWaiting;
  }

  /** Jobs that are claimed and wait for a place. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Waits for a place among the jobs of its owner. Resolves to a number of ms where the job goes back to the queue.
   * *Errors*: the reason of the signal.
   */
  async enter(payload: unknown, key: string, signal: AbortSignal): Promise<JobPlace | number> {
    const id = await this.#ownerOf(payload, key);
    if (id === null) return { leave: () => undefined };
    const owner = this.#owners.get(id) ?? { running: 0, isSlow: false, waiting: [], backAtMs: 0 };
    this.#owners.set(id, owner);
    if (this.#hasPlace(owner)) owner.running += 1;
    else if (!(await this.#waitFor(owner, signal))) {
      signal.throwIfAborted();
      return this.#goBack(owner);
    }
    return {
      leave: (tookMs) => {
        owner.running -= 1;
        owner.isSlow = tookMs > slowMs;
        while (this.#hasPlace(owner) && owner.waiting.length > 0) {
          owner.running += 1;
          owner.waiting.shift()?.();
        }
        // one that was slow is remembered until it is quick
        if (owner.running === 0 && !owner.isSlow) this.#owners.delete(id);
      },
    };
  }

  async #ownerOf(payload: unknown, key: string): Promise<string | null> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const owner = await this.#askOwner(payload);
    if (this.#known.size >= mostKnown) this.#known.clear();
    if (owner !== null) this.#known.set(key, owner);
    return owner;
  }

  #hasPlace(owner: Owner): boolean {
    return owner.running < (owner.isSlow ? 1 : this.#most);
  }

  /** Whether a place was found in time. It is the caller's then. */
  async #waitFor(owner: Owner, signal: AbortSignal): Promise<boolean> {
    if (owner.waiting.length >= mostJobsWaiting || signal.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const enter = () => resolve(true);
    const giveUp = () => {
      const at = owner.waiting.indexOf(enter);
      if (at < 0) return;
      owner.waiting.splice(at, 1);
      resolve(false);
    };
    owner.waiting.push(enter);
    this.#waiting += 1;
    this.#onWaiting();
    const timer = setTimeout(giveUp, mostWaitMs);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await promise;
    } finally {
      this.#waiting -= 1;
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }

  #goBack(owner: Owner): number {
    const nowMs = performance.now();
    owner.backAtMs = Math.max(nowMs + backMs, owner.backAtMs + stepMs);
    return Math.round(owner.backAtMs - nowMs);
  }
}
