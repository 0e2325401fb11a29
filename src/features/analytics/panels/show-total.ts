import type { Figure } from '../explain-figure.ts';
import type { Figures } from '../load-figures.ts';
import { totalOf } from '../rules/figures.ts';
import { listBookingRows } from './list-booking-rows.ts';

/** How many bookings were made, how many meetings were held, and how many of what was made are to come. */
export async function showTotal(figures: Figures): Promise<Figure<ReturnType<typeof totalOf>>> {
  const { period } = figures.question;
  const [sums, { upcoming }] = await Promise.all([figures.sums(), figures.outline()]);
  const data = totalOf(sums, period, upcoming);
  return {
    data,
    numerator: data.value,
    denominator: null,
    rows: () =>
      listBookingRows(figures, (_, { created }) =>
        created ? [{ part: 'created', numerator: 1, denominator: 0 }] : [],
      ),
  };
}
