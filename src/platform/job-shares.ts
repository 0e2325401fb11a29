import type { App } from './app.ts';
import type { Share } from './jobs.ts';

/** An owner whose last job took longer runs one at a time until one is quicker. */
const slowMs = 10_000;
/** Jobs of one owner that wait here, and how long; further ones wait in the queue. */
const mostWaiting = 32;
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
  readonly #app: App;
  // biome-ignore lint/suspicious/noExplicitAny: a payload was checked by the schema of its job
  readonly #share: Share<any>;
  readonly #owners = new Map<string, Owner>();
  readonly #known = new Map<string, string | null>();
  #waiting = 0;
  readonly #onWaiting: () => void;

  /** `onWaiting`: a claimed job waits, so there is room for one more. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  constructor(app: App, share: Share<any>, onWaiting: () => void) {
    this.#app = app;
    this.#share = share;
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
    const owner = await this.#share.ownerOf(this.#app, payload);
    if (this.#known.size >= mostKnown) this.#known.clear();
    if (owner !== null) this.#known.set(key, owner);
    return owner;
  }

  #hasPlace(owner: Owner): boolean {
    return owner.running < (owner.isSlow ? 1 : this.#share.most);
  }

  /** Whether a place was found in time. It is the caller's then. */
  async #waitFor(owner: Owner, signal: AbortSignal): Promise<boolean> {
    if (owner.waiting.length >= mostWaiting || signal.aborted) return false;
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
