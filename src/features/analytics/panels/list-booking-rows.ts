import { containsMs } from '#kernel/time/intervals.ts';
import type { Figures } from '../load-figures.ts';
import { type BookingFact, countBooking, overOnly } from '../rules/count-booking.ts';
import type { RowOf } from '../rules/explanation.ts';
import { spanOf } from '../rules/period.ts';

/** One row for each thing that a booking counts in the period, as the figure counts it. */
export async function listBookingRows(
  figures: Figures,
  row: (
    fact: BookingFact,
    counts: ReturnType<typeof countBooking>[number]['counts'],
  ) => Omit<RowOf, 'kind' | 'id' | 'atMs'>[],
): Promise<RowOf[]> {
  const { period, nowMs } = figures.question;
  const span = spanOf(period, period.zone);
  return (await figures.counting()).flatMap((fact) =>
    countBooking(fact)
      .filter(({ atMs }) => containsMs(span, atMs))
      .flatMap(({ atMs, counts }) => {
        const isOver = fact.endMs <= nowMs;
        const known = isOver
          ? counts
          : Object.fromEntries(Object.entries(counts).filter(([name]) => !isOverOnly(name)));
        return row(fact, known).map((one) => ({ kind: 'booking' as const, id: fact.id, atMs, ...one }));
      }),
  );
}

const isOverOnly = (name: string) => (overOnly as readonly string[]).includes(name);
