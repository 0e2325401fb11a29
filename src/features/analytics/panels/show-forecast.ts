import { type Figures, hasBookings } from '../load-figures.ts';
import { forecastOf, forecastSpan, scheduledSpan } from '../rules/forecast.ts';
import { meetingRows } from '../rules/meeting-rows.ts';
import { dateOf, dayOf } from '../rules/period.ts';
import { listStarting } from '../store/read-facts.ts';
import { listSourced } from './list-sourced.ts';

/** The forecast for the next 14 days. */
export async function showForecast(figures: Figures) {
  const { db, question, outline } = figures;
  const { scope, nowMs } = question;
  const { zone } = question.period;
  const [facts, meetings, { firstMadeMs: sinceMs }] = await Promise.all([
    hasBookings(scope) ? listStarting(db, scope, forecastSpan(zone, nowMs)) : [],
    listSourced(figures, scheduledSpan(zone, nowMs)),
    outline(),
  ]);
  const data = forecastOf(facts, meetings, { zone, nowMs, sinceMs });
  const known = data.forecast === null ? [] : meetings;
  const rows = () => meetingRows(known, ({ startMs }) => dateOf(dayOf(zone, startMs)));
  return { data, numerator: data.forecast === null ? null : known.length, denominator: null, rows };
}
