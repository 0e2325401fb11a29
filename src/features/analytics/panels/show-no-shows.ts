import type { Figure } from '../explain-figure.ts';
import type { Figures } from '../load-figures.ts';
import { noShowOf } from '../rules/figures.ts';
import { listBookingRows } from './list-booking-rows.ts';

/** How many guests did not come. */
export async function showNoShows(figures: Figures): Promise<Figure<ReturnType<typeof noShowOf>>> {
  const data = noShowOf(await figures.sums(), figures.question.period);
  return {
    data,
    numerator: data.numerator,
    denominator: data.denominator,
    rows: () =>
      listBookingRows(figures, ({ state }, { due, noShows }) =>
        due
          ? [
              {
                part: noShows ? 'no-show' : state === 'cancelled' ? 'cancelled' : 'held',
                numerator: noShows ?? 0,
                denominator: 1,
              },
            ]
          : [],
      ),
  };
}
