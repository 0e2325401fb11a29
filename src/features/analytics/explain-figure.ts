import type { BookingId } from '#kernel/ids.ts';
import { printInstant } from '#kernel/time/local.ts';
import type { Figures } from './load-figures.ts';
import { type Explanation, explain, type RowOf } from './rules/explanation.ts';
import type { Panel } from './rules/measures.ts';
import { listTold } from './store/read-facts.ts';

/** A figure, and what it is made of. */
export interface Figure<Data> {
  data: Data;
  /** Both parts of the quotient. Rows of bookings get their titles when they are shown. */
  numerator: number | null;
  denominator: number | null;
  rows(): Promise<readonly RowOf[]> | readonly RowOf[];
}

/** A figure opened to its rows; one statement more for what bookings are called. */
export async function explainFigure(
  { db, question }: Figures,
  panel: Panel,
  figure: Figure<unknown>,
  most?: number,
): Promise<Explanation> {
  const { shown, ...rest } = explain(panel, await figure.rows(), figure, most);
  const bookings = shown.filter(({ kind }) => kind === 'booking').map(({ id }) => id as BookingId);
  const told = await listTold(db, [...new Set(bookings)]);
  return {
    ...rest,
    rows: shown.map(({ kind, id, title = null, with: whom = null, atMs, part, numerator, denominator, ...row }) => {
      const one = told.get(id as BookingId);
      const bookingId = kind === 'booking' ? id : (row.bookingId ?? null);
      return {
        kind,
        id,
        booking_id: question.seesGuests ? bookingId : null,
        event_id: row.eventId ?? null,
        title: one?.title ?? title,
        with: question.seesGuests ? (one?.guestName ?? whom) : null,
        at: atMs === null ? null : printInstant(atMs),
        part,
        numerator,
        denominator,
      };
    }),
  };
}
