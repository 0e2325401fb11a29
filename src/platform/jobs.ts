import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Db as BossDb, Queue } from 'pg-boss';
import { fromKysely, PgBoss } from 'pg-boss';
import type * as z from 'zod/mini';
import type { App } from './app.ts';
import { beforeCommit, nameOf, type Tx } from './db.ts';
import type { JobShare } from './fair-share.ts';
import { type FinishedRun, JobQueue, type JobRun } from './job-queue.ts';
import { channelOf, insertJobs, jobsSchema, listDue, type NewJob, withoutTwins } from './job-sql.ts';
import type { Log } from './log.ts';
import { WorkerSession } from './worker-session.ts';

/**
 * Work that outlives the request: enqueued in the transaction of the change that calls for it, run at least once.
 *
 * pg-boss keeps the jobs, their retries and dead letters. Claiming is ours (job-queue.ts): its workers sleep for their
 * whole poll interval after every job, and skip keys that were busy at the last minute's monitoring.
 */

export interface Job<Name extends string = string, Payload = unknown> {
  readonly name: Name;
  readonly payload: z.ZodMiniType<Payload>;
  /**
   * standard: every send is a job. stately: per key at most one waits and at most one runs; what is sent while one
   * waits is the same job ("look again"), what is sent while one runs comes after it. Its payload must follow from its key.
   */
  readonly policy: 'standard' | 'stately';
  readonly retryLimit: number;
  readonly retryDelaySeconds: number;
  /** Doubles with every attempt up to this; absent: the delay stays the same. */
  readonly retryDelayMaxSeconds: number | undefined;
  /** At once in one process. */
  readonly concurrency: number;
  readonly timeoutSeconds: number;
  readonly share?: JobShare<App, Payload>;
  handle(app: App, payload: Payload, signal: AbortSignal, run: JobRun): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the payload of a job in a list is checked by its own schema
export type AnyJob = Job<string, any>;

export interface JobDefinition<Name extends string, Payload> {
  name: Name;
  payload: z.ZodMiniType<Payload>;
  policy?: Job['policy'];
  retryLimit?: number;
  retryDelaySeconds?: number;
  retryDelayMaxSeconds?: number;
  concurrency?: number;
  timeoutSeconds?: number;
  share?: JobShare<App, Payload>;
  handle: Job<Name, Payload>['handle'];
}

/** A kind of job. Name it `feature.verb-noun`; delivery is at least once, so `handle` must bear being run again. */
export function defineJob<const Name extends string, Payload>(
  definition: JobDefinition<Name, Payload>,
): Job<Name, Payload> {
  return {
    policy: 'standard',
    retryLimit: 5,
    retryDelaySeconds: 5,
    retryDelayMaxSeconds: 600,
    concurrency: 4,
    timeoutSeconds: 900,
    ...definition,
  };
}

/** A job sent at a beat, once per beat whatever the number of processes (the database's clock counts the beats). */
export interface Schedule {
  job: AnyJob;
  everyMs: number;
  payload: unknown;
  key?: string;
}

export interface SendJobOptions {
  /** Enqueue with this transaction: nothing runs before it commits, nothing remains when it rolls back. */
  tx?: Tx;
  /** Subject of the job; required for `stately`. */
  key?: string;
  startAfterMs?: number;
  /** Higher runs first; 0 is usual. */
  priority?: number;
}

/** A job and what it is sent with. */
export interface Sending<Payload = unknown> extends Omit<SendJobOptions, 'tx'> {
  job: Job<string, Payload>;
  payload: Payload;
}

export interface DeadLetter {
  id: string;
  job: string;
  payload: unknown;
  error: unknown;
  attempts: number;
  failedAt: Temporal.Instant;
}

export interface QueueDepth {
  name: string;
  running: number;
  /** Due jobs that no worker has claimed yet. */
  due: number;
  later: number;
  /** How long the oldest of those that are due has been so. */
  oldestDueMs: number | null;
}

export interface Jobs {
  /** Sends a job. Where one of the same key waits already, that one is due no later than this. */
  send<Payload>(job: Job<string, Payload>, payload: Payload, options?: SendJobOptions): Promise<void>;
  /** The same for several, in one statement. */
  sendAll(sendings: readonly Sending[], tx?: Tx): Promise<void>;
  listDeadLetters(limit?: number): Promise<DeadLetter[]>;
  /** Puts dead letters back into their queues. */
  redrive(ids: readonly string[]): Promise<number>;
  /** Jobs that run or are due, in all processes. */
  countPending(): Promise<number>;
  /** How each queue that has work stands, the dead letters among them. */
  listQueues(): Promise<QueueDepth[]>;
}

export interface JobsHandle extends Jobs {
  /** Brings the tables and queues up to date; `send` works from here on. */
  start(): Promise<void>;
  /** Begins to run jobs and to send what is scheduled. */
  work(app: App): Promise<void>;
  /** With true, no job is started and no schedule is sent, until it is false. Running jobs continue. */
  rest(isResting: boolean): void;
  /** Stops claiming and waits for what runs, at most `drainMs`; then aborts it and gives it back to the queue. */
  close(drainMs?: number): Promise<void>;
}

export interface JobsOptions {
  url: string;
  log: Log;
  jobs: readonly AnyJob[];
  schedules?: readonly Schedule[];
  poolSize?: number;
  onRun?: (run: FinishedRun) => void;
}

export const deadLetterQueue = 'dead-letters';
const sweepMs = 1000;
const heartbeatSeconds = 10;
const finishedKeptSeconds = 3600;

export function createJobs(options: JobsOptions): JobsHandle {
  return new PostgresJobs(options);
}

class PostgresJobs implements JobsHandle {
  readonly #options: JobsOptions;
  readonly #log: Log;
  readonly #pool: pg.Pool;
  readonly #sql: BossDb;
  readonly #boss: PgBoss;
  readonly #queues = new Map<string, JobQueue>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #ofTransaction = new WeakMap<Tx, NewJob[]>();
  #session: WorkerSession | undefined;
  #supervisor: PgBoss | undefined;
  #isResting = false;

  constructor(options: JobsOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#pool = new pg.Pool({
      connectionString: options.url,
      application_name: 'holdfast jobs',
      max: options.poolSize ?? 6,
      // planned once per connection: found by its indexes alone, a plan made for an empty table does no harm
      options: '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan -c enable_seqscan=off',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    this.#pool.on('error', () => undefined); // the session reports a lost database, once
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#sql = { executeSql: (text, values) => this.#query(text, values) };
    this.#boss = this.#makeBoss({ supervise: false, migrate: true });
  }

  async #query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    // prepared and planned once, unlike pg-boss: a claim takes 0.07 ms, and 0.41 ms when it is planned each time
    const name = values === undefined || values.length === 0 ? undefined : nameOf(text);
    const { rows } = await this.#pool.query<Record<string, unknown>>({
      text,
      values,
      ...(name === undefined ? {} : { name }),
    });
    // several statements in one text have none
    if (rows === undefined) return { rows: [] };
    // A minute-old list of busy keys: claims would pass over keys that have long been free. We tell by group instead.
    for (const row of rows) if ('singletonsActive' in row) row.singletonsActive = null;
    return { rows };
  }

  #makeBoss(options: { supervise: boolean; migrate: boolean }): PgBoss {
    const boss = new PgBoss({
      db: this.#sql as never,
      schema: jobsSchema,
      schedule: false,
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
      maintenanceIntervalSeconds: 600,
      ...options,
    });
    boss.on('error', (error) => this.#log.warn({ err: error }, 'the job queue reports an error'));
    boss.on('warning', (warning) => this.#log.debug({ warning }, 'the job queue reports a warning'));
    return boss;
  }

  async start(): Promise<void> {
    await this.#boss.start();
    const known = new Map((await this.#boss.getQueues()).map((queue) => [queue.name, queue]));
    if (!known.has(deadLetterQueue)) await this.#boss.createQueue(deadLetterQueue, { retentionSeconds: 90 * 86_400 });
    for (const job of this.#options.jobs) {
      const wanted = queueOptions(job);
      const found = known.get(job.name);
      if (found === undefined) await this.#boss.createQueue(job.name, wanted);
      else if (found.policy !== wanted.policy)
        throw new Error(`job ${job.name} has changed its policy: give it a new name`);
      else if (Object.entries(wanted).some(([key, value]) => found[key as keyof Queue] !== value)) {
        const { policy: _, ...changes } = wanted;
        await this.#boss.updateQueue(job.name, changes);
      }
    }
  }

  async send<Payload>(job: Job<string, Payload>, payload: Payload, options: SendJobOptions = {}): Promise<void> {
    const { tx, ...rest } = options;
    await this.sendAll([{ job: job as AnyJob, payload, ...rest }], tx);
  }

  /** The jobs of a transaction are stored last, in one statement: it locks waiting jobs, all in one order. */
  async sendAll(sendings: readonly Sending[], tx?: Tx): Promise<void> {
    if (sendings.length === 0) return;
    const jobs = sendings.map((sending) => this.#toNewJob(sending));
    if (tx === undefined) return this.#insert(jobs, this.#sql);
    const earlier = this.#ofTransaction.get(tx);
    if (earlier !== undefined) {
      earlier.push(...jobs);
      return;
    }
    this.#ofTransaction.set(tx, jobs);
    beforeCommit(tx, () => {
      this.#ofTransaction.delete(tx);
      return this.#insert(withoutTwins(jobs), fromKysely(tx as never) as BossDb);
    });
  }

  #toNewJob({ job, payload, key, startAfterMs = 0, priority = 0 }: Sending): NewJob {
    const isStately = job.policy === 'stately';
    if (isStately && key === undefined) throw new Error(`${job.name} is stately: a key is needed`);
    const data = job.payload.parse(payload) as object;
    return { id: randomUUID(), name: job.name, data, key: key ?? null, isStately, startAfterMs, priority };
  }

  async #insert(jobs: readonly NewJob[], db: BossDb): Promise<void> {
    let left = jobs;
    for (let attempt = 1; left.length > 0; attempt += 1) {
      if (attempt > 20) throw new Error(`${left[0]?.name} of ${left[0]?.key} could not be enqueued`);
      const settled = await insertJobs(db, left);
      left = left.filter((job) => !settled.has(job.id));
    }
    for (const { name, startAfterMs } of jobs) if (startAfterMs > 0) this.#wakeIn(name, startAfterMs);
  }

  async work(app: App): Promise<void> {
    for (const job of this.#options.jobs) {
      const queue = new JobQueue({
        job,
        boss: this.#boss,
        app,
        log: this.#log,
        jobs: this,
        onRun: this.#options.onRun,
      });
      queue.rest(this.#isResting);
      this.#queues.set(job.name, queue);
    }
    // Monitors for everybody: gives back jobs whose worker stopped beating, applies time limits, removes old jobs.
    this.#supervisor = this.#makeBoss({ supervise: true, migrate: false });
    await this.#supervisor.start();
    this.#session = new WorkerSession({
      url: this.#options.url,
      channel: channelOf(jobsSchema),
      log: this.#log,
      onNotice: (name) => this.#queues.get(name)?.wake(),
      onReady: () => {
        for (const queue of this.#queues.values()) queue.resume();
        this.#sweep().catch(() => undefined); // A claim in each of 80 queues took a third of a start.
      },
      onLost: async () => {
        await Promise.all([...this.#queues.values()].map((queue) => queue.suspend()));
      },
      unsettled: () => [...this.#queues.values()].flatMap((queue) => queue.takeUnsettled()),
    });
    await this.#session.start();
    this.#every(sweepMs, () => this.#sweep());
    this.#every(3000, () => Promise.all([...this.#queues.values()].map((queue) => queue.beat())));
    for (const schedule of this.#options.schedules ?? []) {
      const beat = () => this.#sendScheduled(schedule);
      this.#every(schedule.everyMs, beat);
      await beat();
    }
  }

  /** Finds what no notice announces: delayed jobs and retries that fall due, and jobs missed in a race. */
  async #sweep(): Promise<void> {
    const idle = [...this.#queues.values()].filter((queue) => queue.hasRoom).map((queue) => queue.name);
    for (const { name, dueInMs } of await listDue(this.#sql, idle)) {
      if (dueInMs <= 0) this.#queues.get(name)?.wake();
      else if (dueInMs < sweepMs) this.#wakeIn(name, dueInMs);
    }
  }

  async #sendScheduled({ job, everyMs, payload, key }: Schedule): Promise<void> {
    const slot = key ?? 'schedule';
    if (this.#isResting || this.#session?.isOrphaned(job.name, slot)) return;
    const seconds = Math.max(1, Math.round(everyMs / 1000));
    await this.#boss.send(job.name, job.payload.parse(payload) as object, {
      singletonKey: slot,
      singletonSeconds: seconds,
      group: { id: slot },
      // The slot is free again once its job is removed: keep it for as long as the slot lasts.
      deleteAfterSeconds: Math.max(finishedKeptSeconds, 2 * seconds),
    });
  }

  #wakeIn(name: string, delayMs: number): void {
    const queue = this.#queues.get(name);
    if (queue === undefined || delayMs > 5 * sweepMs) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      queue.wake();
    }, delayMs + 2);
    this.#timers.add(timer.unref());
  }

  #every(intervalMs: number, act: () => Promise<unknown>): void {
    let isBusy = false;
    const timer = setInterval(() => {
      if (isBusy || this.#session?.isReady !== true) return;
      isBusy = true;
      act()
        .catch((error: unknown) => this.#log.debug({ err: error }, 'job housekeeping failed'))
        .finally(() => {
          isBusy = false;
        });
    }, intervalMs);
    this.#timers.add(timer.unref());
  }

  rest(isResting: boolean): void {
    this.#isResting = isResting;
    for (const queue of this.#queues.values()) queue.rest(isResting);
  }

  async close(drainMs = 3000): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([...this.#queues.values()].map((queue) => queue.close(drainMs)));
    await this.#session?.close();
    await this.#supervisor?.stop({ graceful: false });
    await this.#boss.stop({ graceful: false });
    await this.#pool.end();
  }

  async listDeadLetters(limit = 100): Promise<DeadLetter[]> {
    const { rows } = await this.#pool.query<{
      id: string;
      source_name: string;
      data: unknown;
      source_output: unknown;
      source_retry_count: number | null;
      created_on: Date;
    }>(
      `select id, source_name, data, source_output, source_retry_count, created_on from ${jobsSchema}.job
        where name = $1 and state = 'created' order by created_on desc limit $2`,
      [deadLetterQueue, limit],
    );
    return rows.map((row) => ({
      id: row.id,
      job: row.source_name,
      payload: row.data,
      error: row.source_output,
      attempts: (row.source_retry_count ?? 0) + 1,
      failedAt: Temporal.Instant.fromEpochMilliseconds(row.created_on.getTime()),
    }));
  }

  async redrive(ids: readonly string[]): Promise<number> {
    return this.#boss.redrive(deadLetterQueue, { ids: [...ids] });
  }

  async countPending(): Promise<number> {
    const { rows } = await this.#query(
      `select count(*) from ${jobsSchema}.job
        where name <> $1 and (state = 'active' or state < 'active' and start_after <= ${jobsSchema}.job_now())`,
      [deadLetterQueue],
    );
    return Number((rows[0] as { count: string } | undefined)?.count);
  }

  async listQueues(): Promise<QueueDepth[]> {
    const { rows } = await this.#query(
      `select name, count(*) filter (where state = 'active')::int as running,
          count(*) filter (where is_due)::int as due, count(*) filter (where state < 'active' and not is_due)::int as later,
          (extract(epoch from ${jobsSchema}.job_now() - min(start_after) filter (where is_due)) * 1000)::float8 as "oldestDueMs"
        from (select name, state, start_after, state < 'active' and start_after <= ${jobsSchema}.job_now() as is_due
          from ${jobsSchema}.job where state <= 'active') waiting
        group by name order by due desc, name`,
    );
    return rows as QueueDepth[];
  }
}

function queueOptions(job: AnyJob): Omit<Queue, 'name'> {
  return {
    policy: job.policy,
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds,
    retryBackoff: job.retryDelayMaxSeconds !== undefined,
    ...(job.retryDelayMaxSeconds === undefined ? {} : { retryDelayMax: job.retryDelayMaxSeconds }),
    expireInSeconds: job.timeoutSeconds,
    deleteAfterSeconds: finishedKeptSeconds,
    heartbeatSeconds,
    notify: true,
    deadLetter: deadLetterQueue,
  };
}
