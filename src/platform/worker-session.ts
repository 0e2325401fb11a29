import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Attempt } from './job-sql.ts';
import { deathsToRest, type OrphanedJob, releaseActive, releaseOrphans } from './job-sql.ts';
import type { Log } from './log.ts';

export interface WorkerSessionOptions {
  url: string;
  channel: string;
  log: Log;
  onNotice(queue: string): void;
  /** The database answers and what was lost has been given back: claim. */
  onReady(): void;
  /** The database is gone: stop claiming, abort what runs, resolve when it has ended. */
  onLost(): Promise<void>;
  /** Attempts of this process that ended without their outcome being stored. */
  unsettled(): Attempt[];
}

const workersLock = 0x4846_574b; // "HFWK"

/**
 * A worker's dedicated connection, which hears of new jobs. While it lives, others know that this worker may be busy.
 * Every worker holds a shared advisory lock. A worker that gets it exclusively when (re)connecting knows that no other
 * is alive. It then releases all jobs marked active, instead of waiting for heartbeats to run out. At the start of a
 * process their own has died, maybe by them, and they wait (`releaseOrphans`).
 *
 * Only liveness depends on this. Two workers on one job are harmless: outcomes are fenced by attempt, the engine's
 * writes by its own tokens.
 */
export class WorkerSession {
  readonly #options: WorkerSessionOptions;
  #client: pg.Client | undefined;
  #isClosing = false;
  #revival: Promise<void> | undefined;
  isReady = false;
  /** When jobs of dead processes run again, by job and key. */
  readonly #orphanedUntilMs = new Map<string, number>();

  constructor(options: WorkerSessionOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#connect(true);
  }

  /** Whether a job waits because its process died. No schedule sends another then. */
  isOrphaned(job: string, key: string): boolean {
    return performance.now() < (this.#orphanedUntilMs.get(`${job} ${key}`) ?? 0);
  }

  async #connect(isStart: boolean): Promise<void> {
    const { url, channel, log, onNotice, onReady, unsettled } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      application_name: 'holdfast worker',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    });
    client.on('error', () => undefined); // 'end' follows
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) onNotice(payload);
    });
    let orphans: OrphanedJob[] = [];
    try {
      await client.connect();
      const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [
        workersLock,
      ]);
      const alone = rows[0]?.alone === true;
      if (alone && isStart) orphans = await releaseOrphans(client);
      for (const { name, key, deaths, waitMs } of orphans) {
        this.#orphanedUntilMs.set(`${name} ${key}`, performance.now() + waitMs);
        const fields = { job: name, key, deaths, waitMs };
        // one text for each job, as the console lists errors by their texts
        if (deaths >= deathsToRest)
          log.error(fields, `${name} ended its process ${deathsToRest} times or more and rests`);
      }
      if (orphans.length > 0)
        log.info({ released: orphans.length }, 'gave jobs of a dead process back to their queues');
      const released = isStart && alone ? 0 : await releaseActive(client, alone ? 'all' : unsettled());
      if (released > 0) log.info({ released, alone }, 'gave interrupted jobs back to their queues');
      await client.query('select pg_advisory_lock_shared($1)', [workersLock]);
      if (alone) await client.query('select pg_advisory_unlock($1)', [workersLock]);
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    this.isReady = true;
    client.once('end', () => {
      this.isReady = false;
      this.#client = undefined;
      if (!this.#isClosing) this.#revival = this.#revive();
    });
    onReady();
  }

  async #revive(): Promise<void> {
    const { log, onLost } = this.#options;
    log.warn('lost the database: jobs stop until it is back');
    const lostMs = performance.now();
    await onLost();
    let complained = false;
    while (!this.#isClosing) {
      try {
        await this.#connect(false);
        log.info({ durationMs: Math.round(performance.now() - lostMs) }, 'jobs run again');
        return;
      } catch (error) {
        if (!complained && performance.now() - lostMs > 10_000) {
          complained = true;
          log.error({ err: error }, 'the database has been away for ten seconds');
        }
        await sleep(100);
      }
    }
  }

  /** Gives back what this process could not finish, then lets go of the lock. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#revival;
    const client = this.#client;
    if (client === undefined) return;
    try {
      await releaseActive(client, this.#options.unsettled());
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
