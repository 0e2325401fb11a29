import { type Figure, type Figures, hasBookings } from '../figures.ts';
import type { RowOf } from '../rules/explanation.ts';
import { type FunnelStage, funnelStages } from '../rules/measures.ts';
import { spanOf } from '../rules/period.ts';
import { visitScope } from '../rules/visit-scope.ts';
import { conversionOf, type StageCounts, stagesOf } from '../rules/visits.ts';
import { countStages, findBegan, listVisits } from '../store/visit-rows.ts';

type Stages = { now: StageCounts; before: StageCounts } | null;

/** How far visits came, now and before; null where that is not known: too long ago, or of one calendar or member. */
export async function getStages({ db, question }: Figures): Promise<Stages> {
  const { scope, period, nowMs } = question;
  const visits = visitScope(question.scope);
  const span = spanOf(period, period.zone);
  if (visits === null || !hasBookings(scope) || scope.calendarId !== null) return null;
  const [beganMs, now, before] = await Promise.all([
    findBegan(db),
    countStages(db, visits, span, nowMs),
    countStages(db, visits, spanOf(period.previous, period.zone), nowMs),
  ]);
  return span.endMs <= beganMs ? null : { now, before };
}

const most = 100_000;

/** Visits that began in the period, by how far they came; `counts`: the stage that the figure counts. */
async function listVisitRows(
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

/** How many who chose a time were confirmed. */
export function getConversion(figures: Figures, stages: Stages): Figure<ReturnType<typeof conversionOf> | null> {
  const data = stages === null ? null : conversionOf(stages.now, stages.before);
  return {
    data,
    numerator: data?.numerator ?? null,
    denominator: data?.denominator ?? null,
    rows: () => (data === null ? [] : listVisitRows(figures, { counts: 'confirmed', onlyChosen: true })),
  };
}

type Funnel = { stages: { stage: FunnelStage; count: number; previous: number }[] } | null;

/** From a look at a booking page to a meeting. */
export function getFunnel(figures: Figures, stages: Stages): Figure<Funnel> {
  const data =
    stages === null
      ? null
      : { stages: funnelStages.map((stage) => ({ stage, count: stages.now[stage], previous: stages.before[stage] })) };
  return {
    data,
    numerator: stages?.now.held ?? null,
    denominator: stages?.now.viewed ?? null,
    rows: () => (data === null ? [] : listVisitRows(figures, { counts: 'held', onlyChosen: false })),
  };
}
