import { sql } from 'kysely';
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { findLastBackup } from './backup-job.ts';
import { jobsSchema } from './job-sql.ts';
import { findMaintenance } from './maintenance.ts';
import type { Measure } from './measures.ts';

/** The platform's own metrics that operators set alarms on. */
export const ownMeasures: readonly Measure[] = [
  {
    gauges: [
      { name: 'holdfast_jobs_due', help: 'Jobs that are due and wait for a worker', labels: ['job'] },
      { name: 'holdfast_jobs_oldest_due_seconds', help: 'How long the longest of them has waited' },
    ],
    async read(db) {
      const { rows } = await sql<{ name: string; due: number; oldest: number }>`
        select name, count(*) as due, extract(epoch from now() - min(start_after))::float8 as oldest
        from ${sql.raw(jobsSchema)}.job
        where state < 'active' and start_after <= now() and not blocked and name !~ '^(dead-letters|__pgboss)'
        group by name`.execute(db);
      const oldest = Math.max(0, ...rows.map((row) => row.oldest));
      return [
        ...rows.map(({ name, due }) => ({ name: 'holdfast_jobs_due', labels: { job: name }, value: due }) as const),
        { name: 'holdfast_jobs_oldest_due_seconds', value: oldest },
      ];
    },
  },
  {
    gauges: [{ name: 'holdfast_jobs_dead', help: 'Jobs that failed for good and wait for somebody to look' }],
    async read(db) {
      const { rows } = await sql<{ value: number }>`
        select count(*) as value from ${sql.raw(jobsSchema)}.job where name = 'dead-letters' and state = 'created'`.execute(
        db,
      );
      return rows.map(({ value }) => ({ name: 'holdfast_jobs_dead', value }) as const);
    },
  },
  {
    gauges: [
      { name: 'holdfast_mails_waiting', help: 'Mails that are not sent yet' },
      { name: 'holdfast_mails_oldest_waiting_seconds', help: 'How long the oldest of them has waited' },
    ],
    async read(db) {
      const { rows } = await sql<{ waiting: number; oldest: number }>`
        select count(*) as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
        from platform.mails where state in ('queued', 'sending')`.execute(db);
      return rows.flatMap(({ waiting, oldest }) => [
        { name: 'holdfast_mails_waiting', value: waiting } as const,
        { name: 'holdfast_mails_oldest_waiting_seconds', value: oldest } as const,
      ]);
    },
  },
  {
    gauges: [
      {
        name: 'holdfast_backup_age_seconds',
        help: 'Since the newest backup that Holdfast made; absent: there is none',
      },
      { name: 'holdfast_backup_bytes', help: 'Size of that backup' },
    ],
    async read(db) {
      const last = await findLastBackup(db);
      if (last === null) return [];
      return [
        { name: 'holdfast_backup_age_seconds', value: last.ageMs / 1000 },
        { name: 'holdfast_backup_bytes', value: last.bytes },
      ];
    },
  },
  {
    gauges: [{ name: 'holdfast_maintenance', help: '1 while people are kept out' }],
    read: async (db) => [{ name: 'holdfast_maintenance', value: (await findMaintenance(db)) === null ? 0 : 1 }],
  },
];

/** Registers the connection pools of this process. An exhausted pool delays every request. */
export function measurePools(registry: Registry, pools: Readonly<Record<string, pg.Pool>>): void {
  const of = (pool: pg.Pool) => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount });
  new Gauge({
    name: 'holdfast_database_connections',
    help: 'Connections of this process to the database',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, one] of Object.entries(pools))
        for (const [state, count] of Object.entries(of(one))) this.set({ pool, state }, count);
    },
  });
  new Gauge({
    name: 'holdfast_database_connections_awaited',
    help: 'Calls of this process that wait for a connection',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const [pool, one] of Object.entries(pools)) this.set({ pool }, one.waitingCount);
    },
  });
}
