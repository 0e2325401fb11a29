import { sql } from 'kysely';
import type { Measure } from '#platform/measures.ts';

export const measures: readonly Measure[] = [
  {
    gauges: [
      { name: 'holdfast_connections', help: 'Connected accounts, by how they are', labels: ['provider', 'status'] },
    ],
    async read(db) {
      const { rows } = await sql<{ provider: string; status: string; value: number }>`
        select provider, status, count(*) as value from connections.connections group by 1, 2`.execute(db);
      return rows.map(({ value, ...labels }) => ({ name: 'holdfast_connections', labels, value }) as const);
    },
  },
];
