import type { Figures } from '../load-figures.ts';
import type { RowOf } from '../rules/explanation.ts';
import type { FunnelStage } from '../rules/measures.ts';
import { spanOf } from '../rules/period.ts';
import { visitScope } from '../rules/visit-scope.ts';
import { stagesOf } from '../rules/visits.ts';
import { listVisits } from '../store/visit-rows.ts';

const most = 100_000;

/** Visits that began in the period, by how far they came; `counts`: the stage that the figure counts. */
export async function listVisitRows(
  { db, question }: Figures,
  { counts, onlyChosen }: { counts: FunnelStage; onlyChosen: boolean },
): Promise<RowOf[]> {
  const visits = visitScope(question.scope);
  const { period, nowMs } = question;
  if (visits === null) return [];
  const found = await listVisits(db, visits, spanOf(period, period.zone), { nowMs, limit: most, onlyChosen });
  return found.map((visit) => {
    const stages = stagesOf(visit);
    return {
      kind: 'visit',
      id: String(visit.id),
      bookingId: visit.bookingId,
      title: visit.title,
      atMs: visit.firstMs,
      part: stages.at(-1) ?? 'viewed',
      numerator: stages.includes(counts) ? 1 : 0,
      denominator: 1,
    };
  });
}
