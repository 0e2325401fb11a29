import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Db as BossDb } from 'pg-boss';

/** What we ask of pg-boss's table beyond its own interface (schema of 12.35; its tests run on the real thing). */

export const jobsSchema = 'jobs';

/** Where pg-boss announces the name of a queue that got a job. */
export function channelOf(schema: string): string {
  return `pgboss_${createHash('sha224').update(schema).digest('hex').slice(0, 24)}`;
}

/** Locks the waiting job of a key until the caller's transaction ends and makes it due in time; false: there is none. */
export async function bringForward(db: BossDb, name: string, key: string, startAfterMs: number): Promise<boolean> {
  const { rows } = await db.executeSql(
    `with held as (
       update ${jobsSchema}.job
          set start_after = least(start_after, ${jobsSchema}.job_now() + $3::float8 * interval '1 ms')
        where name = $1 and singleton_key = $2 and state = 'created'
        returning start_after)
     select count(*)::int as count,
            count(pg_notify($4, $1)) filter (where start_after <= ${jobsSchema}.job_now()) as notified
       from held`,
    [name, key, startAfterMs, channelOf(jobsSchema)],
  );
  return rows[0]?.count > 0;
}

/** When the earliest waiting job of each queue falls due, by the database's clock. */
export async function listDue(db: BossDb, names: readonly string[]): Promise<{ name: string; dueInMs: number }[]> {
  const { rows } = await db.executeSql(
    `select name, (extract(epoch from min(start_after) - ${jobsSchema}.job_now()) * 1000)::float8 as "dueInMs"
       from ${jobsSchema}.job where name = any($1::text[]) and state < 'active' and not blocked group by name`,
    [names],
  );
  return rows;
}

export interface Attempt {
  id: string;
  retryCount: number;
}

/** How often a job may take its worker with it before that counts as the job's fault. */
const crashLimit = 10;

/**
 * Gives jobs back at once whose workers are known to be gone: these attempts, or all that are active.
 *
 * An orphan whose key already has a retry waiting is the same work twice and is cancelled; one that has been through
 * `crashLimit` claims stays active until its heartbeat fails it, so that a job which kills its worker ends as a dead letter.
 */
export async function releaseActive(client: pg.Client, attempts: readonly Attempt[] | 'all'): Promise<number> {
  const pairs = attempts === 'all' ? null : attempts.map(({ id, retryCount }) => `${id}:${retryCount}`);
  if (pairs?.length === 0) return 0;
  const orphaned = `state = 'active' and ($1::text[] is null or (id::text || ':' || retry_count::text) = any($1::text[]))`;
  await client.query(
    `update ${jobsSchema}.job j set state = 'cancelled', completed_on = ${jobsSchema}.job_now()
      where ${orphaned} and policy = 'stately' and exists (
        select 1 from ${jobsSchema}.job r where r.name = j.name and r.state = 'retry'
           and coalesce(r.singleton_key, '') = coalesce(j.singleton_key, ''))`,
    [pairs],
  );
  const { rowCount } = await client.query(
    `update ${jobsSchema}.job set state = 'retry', start_after = ${jobsSchema}.job_now(), heartbeat_on = null
      where ${orphaned} and retry_count < greatest(retry_limit, ${crashLimit})`,
    [pairs],
  );
  return rowCount ?? 0;
}
