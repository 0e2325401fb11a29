import { sql } from 'kysely';
import type { Role } from '#platform/app.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import { isWorking, keyOf, type Service } from '../health/rules.ts';
import type { Counts } from '../overview/contract.ts';

/** Says that this process lives. */
export async function beatProcess(
  db: Database,
  { id, role, streams }: { id: string; role: Role; streams: number },
): Promise<void> {
  await sql`
    insert into admin.processes (id, role, streams) values (${id}, ${role}, ${streams})
    on conflict (id) do update set streams = excluded.streams, seen_at = now()`.execute(db);
}

/** A process that ends, and those that ended without a word. */
export async function deleteProcesses(db: Database, id: string | null): Promise<void> {
  await sql`
    delete from admin.processes where id = ${id}::uuid or seen_at < now() - interval '1 hour'`.execute(db);
}

interface Processes {
  serving: number;
  working: number;
  streams: number;
}

/** Processes with a heartbeat within the last minute. */
export async function countProcesses(db: Database): Promise<Processes> {
  const { rows } = await sql<Processes>`
    select count(*) filter (where role <> 'worker') as serving, count(*) filter (where role <> 'web') as working,
      coalesce(sum(streams), 0)::bigint as streams
    from admin.processes where seen_at > now() - interval '1 minute'`.execute(db);
  return rows[0] ?? { serving: 0, working: 0, streams: 0 };
}

interface Watched {
  /** Since a worker looked by its schedule; null before the first time. */
  agoMs: number | null;
  measuredMs: number;
  services: Service[];
  countedMs: number | null;
  counts: Counts | null;
  logDays: number;
}

export async function getWatched(db: Database): Promise<Watched> {
  const { rows } = await sql<Watched>`
    select (extract(epoch from now() - watched_at) * 1000)::float8 as "agoMs",
      floor(extract(epoch from measured_at) * 1000)::float8 as "measuredMs", services,
      floor(extract(epoch from counted_at) * 1000)::float8 as "countedMs", counts, log_days as "logDays"
    from admin.watched`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('admin.watched has lost its row');
  return row;
}

/** One looks after the system at a time; false where somebody else does. */
export async function takeWatch(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('admin.watch')) as taken`.execute(tx);
  return rows[0]?.taken === true;
}

/** Stores a measurement, and the probe of each service. */
export async function noteServices(tx: Tx, services: readonly Service[], byWorker: boolean): Promise<void> {
  await sql`
    update admin.watched set measured_at = now(), services = ${jsonb(services)},
      watched_at = case when ${byWorker} then now() else watched_at end`.execute(tx);
  const probes = services.map((service) => ({ service: keyOf(service), good: isWorking(service) }));
  await sql`
    insert into admin.probe_sums as p (service, hour, good, bad)
    select service, date_trunc('hour', now()), good::int, (not good)::int
    from jsonb_to_recordset(${jsonb(probes)}) as given(service text, good boolean) order by service
    on conflict (service, hour) do update set good = p.good + excluded.good, bad = p.bad + excluded.bad`.execute(tx);
}

/** By service: of the probes of the last 24 hours, the share that found it working, in percent. */
export async function getSuccessRates(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ service: string; pct: number }>`
    select service, (sum(good) * 100.0 / sum(good + bad))::float8 as pct from admin.probe_sums
    where hour > now() - interval '24 hours' group by service`.execute(db);
  return new Map(rows.map(({ service, pct }) => [service, pct]));
}

export async function noteCounts(db: Database, counts: Counts): Promise<void> {
  await sql`update admin.watched set counted_at = now(), counts = ${jsonb(counts)}`.execute(db);
}

const probesKeptDays = 31;

export async function deleteOldProbes(db: Database): Promise<void> {
  await sql`delete from admin.probe_sums where hour < now() - make_interval(days => ${sql.lit(probesKeptDays)})`.execute(
    db,
  );
}

/** How long errors, and alerts that are over, are kept. */
export async function updateLogDays(tx: Tx, days: number): Promise<void> {
  await sql`update admin.watched set log_days = ${days}`.execute(tx);
}
