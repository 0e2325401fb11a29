import type { Figure } from '../explain-figure.ts';
import type { Figures } from '../load-figures.ts';
import { type FunnelStage, funnelStages } from '../rules/measures.ts';
import { listVisitRows } from './list-visit-rows.ts';
import type { Stages } from './load-stages.ts';

type Funnel = { stages: { stage: FunnelStage; count: number; previous: number }[] } | null;

/** From a look at a booking page to a meeting. */
export function showFunnel(figures: Figures, stages: Stages): Figure<Funnel> {
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
