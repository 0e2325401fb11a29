import { type Figures, hasBookings } from '../load-figures.ts';
import { spanOf } from '../rules/period.ts';
import { visitScope } from '../rules/visit-scope.ts';
import type { StageCounts } from '../rules/visits.ts';
import { countStages, findBegan } from '../store/visit-rows.ts';

export type Stages = { now: StageCounts; before: StageCounts } | null;

/** How far visits came, now and before; null where that is not known: too long ago, or of one calendar or member. */
export async function loadStages({ db, question }: Figures): Promise<Stages> {
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
