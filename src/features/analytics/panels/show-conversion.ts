import type { Figure } from '../explain-figure.ts';
import type { Figures } from '../load-figures.ts';
import { conversionOf } from '../rules/visits.ts';
import { listVisitRows } from './list-visit-rows.ts';
import type { Stages } from './load-stages.ts';

/** How many who chose a time were confirmed. */
export function showConversion(figures: Figures, stages: Stages): Figure<ReturnType<typeof conversionOf> | null> {
  const data = stages === null ? null : conversionOf(stages.now, stages.before);
  return {
    data,
    numerator: data?.numerator ?? null,
    denominator: data?.denominator ?? null,
    rows: () => (data === null ? [] : listVisitRows(figures, { counts: 'confirmed', onlyChosen: true })),
  };
}
