import { dayMs } from '#kernel/time/civil.ts';
import type { Figure } from '../explain-figure.ts';
import type { Figures } from '../load-figures.ts';
import { bookingTimeOf } from '../rules/figures.ts';
import { listBookingRows } from './list-booking-rows.ts';

/** How long before they start meetings are booked. */
export async function showBookingTime(figures: Figures): Promise<Figure<ReturnType<typeof bookingTimeOf>>> {
  const data = bookingTimeOf(await figures.sums(), figures.question.period);
  const rows = () =>
    listBookingRows(figures, (_, { kept, keptLeadMs = 0 }) =>
      kept ? [{ part: 'lead time in days', numerator: keptLeadMs / dayMs, denominator: 1 }] : [],
    );
  return {
    data,
    numerator: figures.question.explain ? (await rows()).reduce((sum, { numerator }) => sum + numerator, 0) : null,
    denominator: data.bookings,
    rows,
  };
}
