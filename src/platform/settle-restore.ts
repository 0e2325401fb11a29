import { sql } from 'kysely';
import type { App } from './app.ts';
import { inTransaction, type Tx } from './db.ts';
import type { Feature } from './feature.ts';
import type { AnyJob } from './jobs.ts';

/** A state of the past was put back: what each feature has to know of it. */
export interface Restore {
  nowMs: number;
  /**
   * Whether jobs and mails that waited at the backup are sent. Otherwise they count as sent, because nobody can tell.
   */
  sendsWaiting: boolean;
}

/**
 * Completes a restore in the first process that starts on the database, in one transaction, before anything runs.
 * Waiting mails are set aside, features adjust their data, and waiting jobs are sent again (at least once, as always).
 */
export async function settleRestore(
  app: Pick<App, 'db' | 'jobs' | 'clock' | 'log'>,
  features: readonly Feature[],
  jobs: readonly AnyJob[],
): Promise<void> {
  const known = new Map(jobs.map((job) => [job.name, job]));
  await inTransaction(app.db, async (tx) => {
    const { rows: restores } = await sql<{ id: string; sendsWaiting: boolean }>`
      update platform.restores set settled_at = now() where settled_at is null
      returning id, sends_waiting as "sendsWaiting"`.execute(tx);
    const [newest] = restores;
    if (newest === undefined) return;
    const { sendsWaiting } = newest;
    const mails = sendsWaiting ? 0 : await setMailsAside(tx);
    for (const feature of features) await feature.restored?.(tx, { nowMs: app.clock.nowMs(), sendsWaiting });
    const { rows } = await sql<{ name: string; payload: unknown; key: string | null; priority: number }>`
      delete from platform.restored_jobs returning name, payload, key, priority`.execute(tx);
    let sent = 0;
    for (const { name, payload, key, priority } of rows) {
      const job = known.get(name);
      // one of another version may have changed its mind about what it needs
      if (job === undefined || !job.payload.safeParse(payload).success) continue;
      await app.jobs.send(job, payload, { tx, priority, ...(key === null ? {} : { key }) });
      sent += 1;
    }
    app.log.info(
      { mailsSetAside: mails, jobsPutBack: sent, jobsDropped: rows.length - sent },
      'what a restore had left to do is done',
    );
  });
}

/**
 * Sets waiting mails aside, because they may have been sent since the backup: a duplicate is worse than a loss, and
 * each one is listed.
 */
async function setMailsAside(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update platform.mails set state = 'failed', body = null, settled_at = clock_timestamp(),
      error = 'waited when the backup was made; may have been sent since'
    where state in ('queued', 'sending')`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
