import { sql } from 'kysely';
import type { Measure } from '#platform/measures.ts';

export const measures: readonly Measure[] = [
  {
    gauges: [
      {
        name: 'holdfast_booking_questions',
        help: 'Bookings that a calendar contradicts, until their host answers',
        labels: ['kind'],
      },
    ],
    async read(db) {
      const { rows } = await sql<{ kind: string; value: number }>`
        select k.kind, count(q.id) as value
        from unnest(array['moved', 'deleted', 'declined', 'conflict', 'overbooked']) k(kind)
          left join booking.questions q on q.kind = k.kind and q.over_ms is null
        group by k.kind`.execute(db);
      return rows.map(({ kind, value }) => ({ name: 'holdfast_booking_questions', labels: { kind }, value }) as const);
    },
  },
];
