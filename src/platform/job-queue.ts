import type { PgBoss } from 'pg-boss';
import type { App } from './app.ts';
import { type JobPlace, JobShares } from './fair-share.ts';
import type { Attempt } from './job-sql.ts';
import type { AnyJob, Jobs } from './jobs.ts';
import type { Log } from './log.ts';

interface Running {
  attempt: Attempt;
  abort: AbortController;
  ended: Promise<void>;
}

export interface JobRun {
  readonly id: string;
  /** 0 for the first attempt. */
  readonly attempt: number;
  /** A failure now is final and becomes a dead letter. */
  readonly isLast: boolean;
  readonly log: Log;
}

export interface FinishedRun {
  job: string;
  outcome: 'done' | 'failed' | 'aborted';
  durationMs: number;
}

export interface JobQueueOptions {
  job: AnyJob;
  boss: PgBoss;
  app: App;
  log: Log;
  onRun: ((run: FinishedRun) => void) | undefined;
  /** For a job past the share of its owner. */
  jobs: Pick<Jobs, 'send'>;
}

/** Time for aborted handlers to end before the process continues without them. */
const abortGraceMs = 1000;

/** Claims the jobs of one kind as they come and runs them, up to the kind's concurrency. */
export class JobQueue {
  readonly #options: JobQueueOptions;
  readonly #running = new Map<string, Running>();
  /** Ended while the database was away: the outcome could not be stored. */
  readonly #unsettled: Attempt[] = [];
  readonly #shares: JobShares | null;
  #claiming: Promise<void> | undefined;
  #again = false;
  /** How often there was a reason to look. */
  #wakes = 0;
  /** The last look ended because there was no room: more may be waiting. */
  #isFull = false;
  #isOpen = false;
  #isResting = false;

  constructor(options: JobQueueOptions) {
    this.#options = options;
    const { app, job } = options;
    const { share } = job;
    this.#shares =
      share === undefined
        ? null
        : new JobShares(
            share.most,
            (payload) => share.ownerOf(app, payload),
            () => this.wake(),
          );
  }

  get name(): string {
    return this.#options.job.name;
  }

  get hasRoom(): boolean {
    return this.#free > 0;
  }

  /** Jobs that wait for the share of their owner take no room from others. */
  get #free(): number {
    return this.#options.job.concurrency - this.#running.size + (this.#shares?.waiting ?? 0);
  }

  /** Looks for due jobs. One query however many notices arrive while it runs. */
  wake(): void {
    this.#wakes += 1;
    if (!this.#isOpen || this.#isResting) return;
    if (this.#claiming !== undefined) {
      this.#again = true;
      return;
    }
    this.#claiming = this.#claim()
      .catch((error: unknown) => this.#options.log.debug({ err: error, job: this.name }, 'could not claim jobs'))
      .finally(() => {
        this.#claiming = undefined;
        if (this.#again) {
          this.#again = false;
          this.wake();
        }
      });
  }

  async #claim(): Promise<void> {
    const { job, boss } = this.#options;
    while (this.#isOpen && !this.#isResting) {
      this.#isFull = !this.hasRoom;
      if (this.#isFull) return;
      const wakesBefore = this.#wakes;
      // pg-boss writes the number into the text of the statement: few different ones, which stay planned
      const most = 2 ** Math.floor(Math.log2(this.#free));
      const claimed = await boss.fetch(job.name, {
        batchSize: most,
        includeMetadata: true,
        // Passes over keys that have a job running; the unique index of `stately` settles races.
        ...(job.policy === 'stately' ? { groupConcurrency: 1 } : {}),
      });
      for (const { id, data, retryCount, retryLimit, singletonKey, priority } of claimed) {
        const attempt = { id, retryCount };
        if (!this.#isOpen) {
          this.#unsettled.push(attempt);
          continue;
        }
        const abort = new AbortController();
        const again = { key: singletonKey ?? id, priority };
        const ended = this.#run(attempt, data, { isLast: retryCount >= retryLimit, wakesBefore, again }, abort);
        this.#running.set(id, { attempt, abort, ended });
      }
      if (claimed.length < most) return;
    }
  }

  async #run(
    attempt: Attempt,
    data: unknown,
    { isLast, wakesBefore, again }: { isLast: boolean; wakesBefore: number; again: { key: string; priority: number } },
    abort: AbortController,
  ): Promise<void> {
    const { job, boss, app, onRun, jobs } = this.#options;
    const log = this.#options.log.child({ job: job.name, jobId: attempt.id, attempt: attempt.retryCount });
    let startedMs = performance.now();
    const limit = setTimeout(() => abort.abort(new Error(`${job.name} took too long`)), job.timeoutSeconds * 1000);
    let place: JobPlace | null = null;
    let isBack = false;
    let outcome: FinishedRun['outcome'] = 'done';
    try {
      // On the next tick: a handler that fails at once must find itself among the running ones.
      await Promise.resolve();
      const payload = job.payload.parse(data);
      if (this.#shares !== null) {
        const turn = await this.#shares.enter(payload, again.key, abort.signal);
        if (typeof turn === 'number') {
          await jobs.send(job, payload, { ...again, startAfterMs: turn });
          await boss.complete(job.name, attempt);
          isBack = true;
          return;
        }
        place = turn;
        startedMs = performance.now();
      }
      await job.handle(app, payload, abort.signal, {
        id: attempt.id,
        attempt: attempt.retryCount,
        isLast,
        log,
      });
      await boss.complete(job.name, attempt);
    } catch (error) {
      outcome = this.#isOpen ? 'failed' : 'aborted';
      if (outcome === 'aborted') this.#unsettled.push(attempt);
      else await this.#fail(attempt, error, isLast, log);
    } finally {
      clearTimeout(limit);
      this.#running.delete(attempt.id);
      place?.leave(performance.now() - startedMs);
      if (!isBack) onRun?.({ job: job.name, outcome, durationMs: performance.now() - startedMs });
      // jobs that waited for this key or for room were announced since the claim; most jobs keep none waiting
      if (outcome !== 'done' || this.#isFull || this.#wakes !== wakesBefore) this.wake();
    }
  }

  async #fail(attempt: Attempt, error: unknown, isLast: boolean, log: Log): Promise<void> {
    const cause = error instanceof Error ? { name: error.name, message: error.message } : { message: String(error) };
    try {
      await this.#options.boss.fail(this.name, attempt, cause);
    } catch (failure) {
      // Most likely both for the same reason: the database went away under the job.
      log.debug({ err: failure }, 'the failure of a job could not be stored');
      this.#unsettled.push(attempt);
      return;
    }
    if (isLast) log.error({ err: error }, 'job failed for good, see the dead letters');
    else log.warn({ err: error }, 'job failed, it will be tried again');
  }

  /** Tells the database that what runs is alive, and aborts what it has given to somebody else. */
  async beat(): Promise<void> {
    const running = [...this.#running.values()];
    if (running.length === 0) return;
    const attempts = running.map(({ attempt }) => attempt);
    const { settled } = (await this.#options.boss.touch(this.name, attempts)) as { settled?: string[] };
    if (settled === undefined) return;
    for (const { attempt, abort } of running) {
      if (settled.includes(attempt.id) || this.#running.get(attempt.id)?.abort !== abort) continue;
      abort.abort(new Error('another worker has this job now'));
    }
  }

  /** Attempts to be given back to the queue. */
  takeUnsettled(): Attempt[] {
    return this.#unsettled.splice(0);
  }

  /** Starts no job while resting; running ones continue. */
  rest(isResting: boolean): void {
    this.#isResting = isResting;
    this.wake();
  }

  /** Claims again from the next wake on. */
  resume(): void {
    this.#isOpen = true;
  }

  /** Stops at once: handlers see their signal, and get a moment to end. */
  async suspend(reason = 'the database is away'): Promise<void> {
    this.#isOpen = false;
    for (const { abort } of this.#running.values()) abort.abort(new Error(reason));
    await this.#settle(abortGraceMs);
  }

  /** Lets what runs finish for `drainMs`, then stops it. */
  async close(drainMs: number): Promise<void> {
    this.#isOpen = false;
    await this.#claiming;
    await this.#settle(drainMs);
    await this.suspend('the process stops');
    for (const { attempt } of this.#running.values()) this.#unsettled.push(attempt);
  }

  async #settle(timeoutMs: number): Promise<void> {
    const all = Promise.allSettled([...this.#running.values()].map(({ ended }) => ended));
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([all, limit]);
    clearTimeout(timer);
  }
}
