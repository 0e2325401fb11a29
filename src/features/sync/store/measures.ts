import { sql } from 'kysely';
import type { Measure } from '#platform/measures.ts';

/** How far behind we are with reading and with writing, and what providers say. */
export const measures: readonly Measure[] = [
  {
    gauges: [
      { name: 'holdfast_sync_calendars', help: 'Calendars that are read' },
      { name: 'holdfast_sync_calendars_failing', help: 'Of those, whose last reading did not work' },
      { name: 'holdfast_sync_overdue_seconds', help: 'How long the longest overdue reading has been due' },
    ],
    async read(db) {
      const { rows } = await sql<{ calendars: number; failing: number; overdue: number }>`
        select count(*) as calendars, count(*) filter (where failures > 0) as failing,
          coalesce(greatest(0, extract(epoch from now() - min(greatest(next_pull_at, not_before)))), 0)::float8 as overdue
        from sync.pulls where next_pull_at > 'epoch'`.execute(db);
      return rows.flatMap(({ calendars, failing, overdue }) => [
        { name: 'holdfast_sync_calendars', value: calendars } as const,
        { name: 'holdfast_sync_calendars_failing', value: failing } as const,
        { name: 'holdfast_sync_overdue_seconds', value: overdue } as const,
      ]);
    },
  },
  {
    gauges: [
      {
        name: 'holdfast_mirrors_waiting',
        help: 'Blocks still to be written or removed, or given up',
        labels: ['state'],
      },
      {
        name: 'holdfast_mirrors_oldest_waiting_seconds',
        help: 'How long the oldest that is still to be written has waited',
      },
    ],
    async read(db) {
      const { rows } = await sql<{ state: string; value: number; oldest: number }>`
        select state, count(*) as value, extract(epoch from now() - min(updated_at))::float8 as oldest
        from sync.mirrors where state in ('pending', 'deleting') group by state
        union all select 'failed', count(*), 0 from sync.mirrors where state = 'failed'`.execute(db);
      return [
        ...rows.map(({ state, value }) => ({ name: 'holdfast_mirrors_waiting', labels: { state }, value }) as const),
        { name: 'holdfast_mirrors_oldest_waiting_seconds', value: Math.max(0, ...rows.map((row) => row.oldest)) },
      ];
    },
  },
  {
    gauges: [
      {
        name: 'holdfast_provider_reads',
        help: 'Readings at providers since the last full hour began, by how they ended',
        labels: ['provider', 'outcome'],
      },
    ],
    async read(db) {
      const { rows } = await sql<{ provider: string; outcome: string; value: number }>`
        select provider, outcome, sum(n)::bigint as value from sync.call_sums,
          lateral (values ('answered', answered), ('auth', auth), ('limited', limited), ('refused', refused), ('silent', silent))
            as of (outcome, n)
        where hour >= date_trunc('hour', now()) - interval '1 hour' group by 1, 2`.execute(db);
      return rows.map(({ value, ...labels }) => ({ name: 'holdfast_provider_reads', labels, value }) as const);
    },
  },
  {
    gauges: [
      { name: 'holdfast_push_channels', help: 'Channels through which providers tell of changes', labels: ['state'] },
      {
        name: 'holdfast_push_channels_expiring',
        help: 'Of the live ones, those that end within an hour unless renewed',
      },
    ],
    async read(db) {
      const { rows } = await sql<{ state: string; value: number; expiring: number }>`
        select state, count(*) as value,
          count(*) filter (where state = 'live' and expires_at < now() + interval '1 hour') as expiring
        from sync.channels group by state`.execute(db);
      return [
        ...rows.map(({ state, value }) => ({ name: 'holdfast_push_channels', labels: { state }, value }) as const),
        { name: 'holdfast_push_channels_expiring', value: rows.reduce((sum, row) => sum + row.expiring, 0) },
      ];
    },
  },
];
