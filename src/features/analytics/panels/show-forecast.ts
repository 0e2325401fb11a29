import { type Figures, hasBookings } from '../load-figures.ts';
import type { RowOf } from '../rules/explanation.ts';
import { forecastOf, forecastSpan } from '../rules/forecast.ts';
import { dateOf, dayOf } from '../rules/period.ts';
import { listStarting } from '../store/read-facts.ts';

/** What the next 14 days will hold. */
export async function showForecast({ db, question, outline }: Figures) {
  const { scope, nowMs, period } = question;
  const { zone } = period;
  const [facts, { firstMadeMs: sinceMs }] = await Promise.all([
    hasBookings(scope) ? listStarting(db, scope, forecastSpan(zone, nowMs)) : [],
    outline(),
  ]);
  const data = forecastOf(facts, { zone, nowMs, sinceMs });
  const today = dayOf(zone, nowMs);
  const rows = (): RowOf[] =>
    facts
      .filter(({ state, startMs }) => state === 'confirmed' && dayOf(zone, startMs) >= today)
      .map(({ id, startMs }) => ({
        kind: 'booking',
        id,
        atMs: startMs,
        part: dateOf(dayOf(zone, startMs)),
        numerator: 1,
        denominator: 0,
      }));
  const scheduled = data.forecast?.reduce((sum, one) => sum + one.scheduled, 0) ?? null;
  return { data, numerator: scheduled, denominator: null, rows: () => (data.forecast === null ? [] : rows()) };
}
