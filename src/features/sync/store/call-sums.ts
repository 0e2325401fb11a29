import { sql } from 'kysely';
import type { Database } from '#platform/db.ts';
import type { CallEnd } from '../rules/call-end.ts';
import { bucketOf } from '../rules/latency.ts';

/** A reading at a provider, as it is counted. */
export interface Call {
  provider: string;
  profile: string;
  end: CallEnd;
  /** How long the provider took for all it was asked; null where it did not come to its end. */
  waitedMs: number | null;
}

/** Rows of one hour, chosen at random: many count at once. */
const shares = 4;

/** Counts a reading, in a statement of its own: a sum is never worth the transaction of what was read. */
export async function countCall(db: Database, { provider, profile, end, waitedMs }: Call): Promise<void> {
  if (db.isTransaction) throw new Error('readings are counted outside of transactions');
  const column = sql.ref(end);
  const bucket = sql.lit(waitedMs === null ? 0 : bucketOf(waitedMs) + 1);
  await sql`
    insert into sync.call_sums as s (provider, profile, hour, share, ${column}, latency)
    values (${provider}, ${profile}, date_trunc('hour', now()), floor(random() * ${sql.lit(shares)}), 1,
      (select array_agg((at = ${bucket})::int::bigint order by at) from generate_series(1, 11) at))
    on conflict (provider, profile, hour, share) do update set ${column} = s.${column} + 1, last_at = now(),
      latency = (select array_agg(s.latency[at] + excluded.latency[at] order by at) from generate_series(1, 11) at)`.execute(
    db,
  );
}

interface CallSum {
  provider: string;
  profile: string;
  hourMs: number;
  answered: number;
  auth: number;
  limited: number;
  refused: number;
  silent: number;
  latency: number[];
  lastMs: number;
}

/** One row per kind of account and hour, of so many hours with the present one. */
export async function listCallSums(db: Database, hours: number): Promise<CallSum[]> {
  const { rows } = await sql<CallSum>`
    select provider, profile, floor(extract(epoch from hour) * 1000)::float8 as "hourMs", sum(answered)::bigint as answered,
      sum(auth)::bigint as auth, sum(limited)::bigint as limited, sum(refused)::bigint as refused,
      sum(silent)::bigint as silent, floor(extract(epoch from max(last_at)) * 1000)::float8 as "lastMs",
      jsonb_build_array(${sql.join(Array.from({ length: 11 }, (_, at) => sql`sum(latency[${sql.lit(at + 1)}])`))}) as latency
    from sync.call_sums where hour > date_trunc('hour', now()) - make_interval(hours => ${hours})
    group by provider, profile, hour order by provider, profile, hour`.execute(db);
  return rows;
}

const keptDays = 31;

export async function trimCallSums(db: Database): Promise<void> {
  await sql`delete from sync.call_sums where hour < now() - make_interval(days => ${sql.lit(keptDays)})`.execute(db);
}
