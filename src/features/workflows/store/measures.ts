import { sql } from 'kysely';
import type { Measure } from '#platform/measures.ts';

export const measures: readonly Measure[] = [
  {
    gauges: [
      { name: 'holdfast_workflow_runs_overdue', help: 'Runs of workflows that were due more than a minute ago' },
    ],
    async read(db) {
      const { rows } = await sql<{ value: number }>`
        select count(*) as value from workflows.runs
        where state in ('planned', 'claimed') and next_ms < extract(epoch from now() - interval '1 minute') * 1000`.execute(
        db,
      );
      return rows.map(({ value }) => ({ name: 'holdfast_workflow_runs_overdue', value }) as const);
    },
  },
];
