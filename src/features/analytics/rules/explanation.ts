import type * as z from 'zod/mini';
import type { BookingId } from '#kernel/ids.ts';
import type { explanationShape } from '../contract.ts';
import { definitions } from './definitions.ts';
import type { Panel } from './measures.ts';

export type Explanation = z.output<typeof explanationShape>;

/** A row of a figure before anybody has looked up what it is called. */
export interface RowOf {
  kind: Explanation['rows'][number]['kind'];
  id: string;
  /** The booking behind a row of another kind. */
  bookingId?: BookingId | null;
  eventId?: string | null;
  title?: string | null;
  with?: string | null;
  atMs: number | null;
  part: string;
  numerator: number;
  denominator: number;
}

/** More than anybody reads; a file has all of them. */
export const mostRows = 500;

/** The newest rows, and the sum of the others: together they are the figure. */
export function explain(
  panel: Panel,
  rows: readonly RowOf[],
  { numerator, denominator }: Pick<Explanation, 'numerator' | 'denominator'>,
  most = mostRows,
): Omit<Explanation, 'rows'> & { shown: readonly RowOf[] } {
  const sorted = rows.toSorted(
    (one, other) => (other.atMs ?? 0) - (one.atMs ?? 0) || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0),
  );
  const others = sorted.slice(most);
  return {
    definition: definitions[panel],
    numerator,
    denominator,
    shown: sorted.slice(0, most),
    rest: {
      rows: others.length,
      numerator: others.reduce((sum, { numerator }) => sum + numerator, 0),
      denominator: others.reduce((sum, { denominator }) => sum + denominator, 0),
    },
  };
}
