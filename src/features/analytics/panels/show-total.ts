import type { Figure } from '../explain-figure.ts';
import { type Figures, startingIn } from '../load-figures.ts';
import { totalOf } from '../rules/figures.ts';
import { listBookingRows } from './list-booking-rows.ts';

/** How many bookings were made, held, and are to come. */
export async function showTotal(figures: Figures): Promise<Figure<ReturnType<typeof totalOf>>> {
  const { period, nowMs } = figures.question;
  const [sums, starting] = await Promise.all([figures.sums(), figures.starting()]);
  const upcoming = startingIn(starting, period, figures.question).filter(
    ({ state, endMs }) => state === 'confirmed' && endMs > nowMs,
  ).length;
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
