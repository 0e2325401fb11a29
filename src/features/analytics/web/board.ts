import { createContext, useContext } from 'react';
import type { Panel } from '../rules/measures.ts';
import type { DashboardSearch } from './dashboard-search.ts';
import type { Asked, SlotView } from './queries.ts';

/** Facts of the dashboard that every panel needs. */
export interface Board {
  search: DashboardSearch;
  asked: Asked;
  view: SlotView;
  /** `Oct 24 – Nov 22`. */
  rangeText: string;
  /** `vs previous 30 days`. */
  versus: string;
  set: (part: Partial<DashboardSearch>) => void;
  open: (panel: Panel, part?: string) => void;
}

export const BoardContext = createContext<Board | null>(null);

export function useBoard(): Board {
  const board = useContext(BoardContext);
  if (board === null) throw new Error('There is no dashboard around this panel');
  return board;
}
