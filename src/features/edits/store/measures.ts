import { sql } from 'kysely';
import type { Measure } from '#platform/measures.ts';

export const measures: readonly Measure[] = [
  {
    gauges: [{ name: 'holdfast_edits_waiting', help: 'Changes of people that are not at their provider yet' }],
    async read(db) {
      const { rows } = await sql<{ value: number }>`
        select count(*) as value from edits.edits where state = 'pending'`.execute(db);
      return rows.map(({ value }) => ({ name: 'holdfast_edits_waiting', value }) as const);
    },
  },
];
