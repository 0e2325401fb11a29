import { funnelStages, type Panel } from '../rules/measures.ts';
import type { Explanation } from './queries.ts';

type Row = Explanation['rows'][number];

/** The rows of a figure, or of a part of it, and what they come to. */
export interface AddedUp {
  rows: readonly Row[];
  numerator: number;
  /** Null: it is no rate. */
  denominator: number | null;
}

/**
 * Which rows make a part of a panel, counted as the panel counts them. Parts: a line of the trends, an hour or a weekday
 * and hour, a stage, a source, a kind, a domain, `new` or `repeat`.
 */
export function addUp(panel: Panel, { rows, denominator }: Explanation, part: string | undefined): AddedUp {
  const sum = (of: readonly Row[], read: (row: Row) => number) => of.reduce((all, row) => all + read(row), 0);
  const rated = (of: readonly Row[]): AddedUp => ({
    rows: of,
    numerator: sum(of, (row) => row.numerator),
    denominator: denominator === null ? null : sum(of, (row) => row.denominator),
  });
  const counted = (of: readonly Row[]): AddedUp => ({ rows: of, numerator: of.length, denominator: null });
  if (part === undefined) return rated(rows);
  const own = rows.filter((row) => row.part === part);
  switch (panel) {
    case 'booking-trends':
      return part === 'avg_lead_time_days'
        ? { rows: own, numerator: sum(own, (row) => row.numerator), denominator: sum(own, (row) => row.denominator) }
        : rated(own);
    case 'popular-time-slots':
      return rated(part.includes(' ') ? own : rows.filter((row) => row.part.endsWith(` ${part}`)));
    case 'funnel': {
      // a visit stands under the last stage it came to, and passed those before
      const order: readonly string[] = funnelStages;
      return counted(rows.filter((row) => order.indexOf(row.part) >= order.indexOf(part)));
    }
    case 'participant-insights': {
      if (part === 'new') return counted(rows.filter((row) => row.numerator === 1));
      if (part === 'repeat') return counted(rows.filter((row) => row.denominator === 1 && row.numerator === 0));
      // several people of a domain in one meeting are one meeting
      const meetings = new Set(own.map(({ id }) => id.slice(0, id.lastIndexOf(' '))));
      return { rows: own, numerator: meetings.size, denominator: null };
    }
    default:
      return rated(own);
  }
}
