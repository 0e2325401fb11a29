import { dayMs } from '#kernel/time/civil.ts';
import type { Figure } from '../explain-figure.ts';
import type { Figures } from '../load-figures.ts';
import { trendsOf } from '../rules/figures.ts';
import { listBookingRows } from './list-booking-rows.ts';

/** Bookings over time. */
export async function showTrends(figures: Figures): Promise<Figure<ReturnType<typeof trendsOf>>> {
  const { period, nowMs } = figures.question;
  const data = trendsOf(await figures.sums(), period, nowMs);
  return {
    data,
    // several lines: each is the sum of its own part
    numerator: null,
    denominator: null,
    rows: () =>
      listBookingRows(figures, (_, { created, standing, cancelled, noShows, leadMs = 0 }) => [
        ...(created ? [{ part: 'bookings_created', numerator: 1, denominator: 0 }] : []),
        ...(standing ? [{ part: 'meetings_held', numerator: 1, denominator: 0 }] : []),
        ...(cancelled ? [{ part: 'cancellations', numerator: 1, denominator: 0 }] : []),
        ...(noShows ? [{ part: 'no_shows', numerator: 1, denominator: 0 }] : []),
        ...(created ? [{ part: 'avg_lead_time_days', numerator: leadMs / dayMs, denominator: 1 }] : []),
      ]),
  };
}
