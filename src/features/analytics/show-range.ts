import type { Question } from './read-question.ts';
import { dateOf } from './rules/period.ts';

/** The days that were answered for. */
export const showRange = ({ period: { firstDay, endDay, zone, previous } }: Question) => ({
  from: dateOf(firstDay),
  to: dateOf(endDay),
  zone: zone.id,
  previous: { from: dateOf(previous.firstDay), to: dateOf(previous.endDay) },
});
