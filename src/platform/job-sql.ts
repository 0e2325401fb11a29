import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Db as BossDb } from 'pg-boss';

/** Statements on pg-boss's table beyond its own interface (schema of 12.35; its tests run on the real thing). */

export const jobsSchema = 'jobs';

/** Where pg-boss announces the name of a queue that got a job. */
export function channelOf(schema: string): string {
  return `pgboss_${createHash('sha224').update(schema).digest('hex').slice(0, 24)}`;
}

/** A job as it is sent. `isStately`: one that waits under its key stands for it. */
export interface NewJob {
  id: string;
  name: string;
  data: object;
  key: string | null;
  isStately: boolean;
  startAfterMs: number;
  priority: number;
}

/**
 * Sends jobs, one statement whatever their number. Where one waits under the key already, that one is locked until the
 * caller's transaction ends (it might start before, read the state as it was, and nobody would look again) and made due in
 * time. Answers with the ids of those that are settled: the others met one that was sent this very moment, and are to be
 * sent again.
 */
export async function insertJobs(db: BossDb, jobs: readonly NewJob[]): Promise<Set<string>> {
  // in one order for all senders, or two could wait for each other
  const sorted = jobs.toSorted((one, other) => compareText(one.name, other.name) || compareText(one.key, other.key));
  const { rows } = await db.executeSql(insertText, [
    sorted.map((job) => job.id),
    sorted.map((job) => job.name),
    sorted.map((job) => JSON.stringify(job.data)),
    sorted.map((job) => job.key),
    sorted.map((job) => job.isStately),
    sorted.map((job) => job.startAfterMs),
    sorted.map((job) => job.priority),
    channelOf(jobsSchema),
  ]);
  return new Set((rows as { id: string }[]).map((row) => row.id));
}

/** The jobs without those of a key that came before: one that waits does for all, from the earliest time of them. */
export function withoutTwins(jobs: readonly NewJob[]): NewJob[] {
  const ofKey = new Map<string, NewJob>();
  for (const job of jobs) {
    const key = job.isStately ? `${job.name} ${job.key}` : job.id;
    const earlier = ofKey.get(key);
    if (earlier === undefined || job.startAfterMs < earlier.startAfterMs) ofKey.set(key, job);
  }
  return [...ofKey.values()];
}

const compareText = (one: string | null, other: string | null) => {
  const [a, b] = [one ?? '', other ?? ''];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** As pg-boss writes them, for several queues; the condition of `held` is that of its index for stately ones. */
const insertText = `
  with wanted as (
    select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::float8[], $7::int[])
      as w(id, name, data, key, stately, delay_ms, priority)),
  -- a join locks rows in the order of its plan, so they are locked before it
  locked as materialized (
    select j.id, j.name, w.id as wanted_id, w.delay_ms
      from wanted w join ${jobsSchema}.job j on j.name = w.name and coalesce(j.singleton_key, '') = w.key
     where w.stately and j.state = 'created' and j.state <= 'active' and j.policy = 'stately'
     order by j.name, j.id for update of j),
  held as (
    update ${jobsSchema}.job j
       set start_after = least(j.start_after, ${jobsSchema}.job_now() + l.delay_ms * interval '1 ms')
      from locked l
     where j.name = l.name and j.id = l.id and j.state = 'created'
     returning l.wanted_id as id, j.name, j.start_after),
  -- one that ended its process waits for its time, and new ones of its key do not run before it
  resting as (
    select w.id, j.name, j.start_after
      from wanted w join ${jobsSchema}.job j on j.name = w.name and coalesce(j.singleton_key, '') = w.key
     where w.stately and j.state = 'retry' and j.policy = 'stately' and j.output->>'deaths' is not null
       and j.start_after > ${jobsSchema}.job_now()),
  added as (
    insert into ${jobsSchema}.job (id, name, data, priority, start_after, created_on, singleton_key, group_id,
      expire_seconds, deletion_seconds, keep_until, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy,
      dead_letter, heartbeat_seconds)
    select w.id, w.name, w.data::jsonb, w.priority, w.start_after, ${jobsSchema}.job_now(), w.key, w.key,
      q.expire_seconds, q.deletion_seconds, w.start_after + q.retention_seconds * interval '1s', q.retry_limit,
      q.retry_delay, q.retry_backoff, q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds
    from (select *, ${jobsSchema}.job_now() + delay_ms * interval '1 ms' as start_after from wanted) w
    join ${jobsSchema}.queue q on q.name = w.name
    where not exists (select from held h where h.id = w.id) and not exists (select from resting r where r.id = w.id)
    on conflict do nothing
    returning id, name, start_after),
  settled as (
    select id, name, start_after from held union all select id, name, start_after from added
    union all select id, name, start_after from resting)
  select id,
    case when start_after <= ${jobsSchema}.job_now() then pg_notify($8, name) end as notified
  from settled`;

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

/** A job whose process ended while it ran. */
export interface OrphanedJob {
  name: string;
  key: string | null;
  /** How often in a row. */
  deaths: number;
  /** Time until it runs again. */
  waitMs: number;
}

/** So many deaths in a row mean that the job ended its process. */
export const deathsToRest = 3;

/**
 * Gives all active jobs back after their process has died. Each waits longer with every death in a row: one second, ten,
 * ten minutes, an hour, then six. After the second death they start one by one, because only one of them is the cause.
 *
 * New jobs of the same key wait too, so one that sends the next cannot end every process at its start.
 */
export async function releaseOrphans(client: pg.Client): Promise<OrphanedJob[]> {
  // another of its key is the same work twice
  await client.query(
    `update ${jobsSchema}.job t set state = 'cancelled', completed_on = ${jobsSchema}.job_now()
      from ${jobsSchema}.job j
      where j.state = 'active' and j.policy = 'stately' and j.retry_count < greatest(j.retry_limit, ${crashLimit})
        and t.name = j.name and coalesce(t.singleton_key, '') = coalesce(j.singleton_key, '')
        and t.policy = 'stately' and t.state < 'active'`,
  );
  const { rows } = await client.query<OrphanedJob>(
    `with died as (
      select id, name, coalesce((output->>'deaths')::int, 0) + 1 as deaths,
        least(row_number() over (order by random()), 30) as place
      from ${jobsSchema}.job
      where state = 'active' and retry_count < greatest(retry_limit, ${crashLimit})),
    timed as (
      select id, name, deaths, case deaths when 1 then 1 when 2 then 9 + place when 3 then 600 when 4 then 3600 else 21600 end
        as wait_s from died)
    update ${jobsSchema}.job j set state = 'retry', heartbeat_on = null,
      start_after = ${jobsSchema}.job_now() + timed.wait_s * interval '1 s',
      output = jsonb_build_object('deaths', timed.deaths)
      from timed where j.name = timed.name and j.id = timed.id
      returning j.name, j.singleton_key as key, timed.deaths, timed.wait_s * 1000 as "waitMs"`,
  );
  return rows.map((row) => ({ ...row, waitMs: Number(row.waitMs) }));
}
