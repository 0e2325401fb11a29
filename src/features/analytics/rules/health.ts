/** How well one calendar is in step, as far as its score follows from it (semantics 4). */
export interface CalendarState {
  /** Since it was last read to its end; null: never. */
  ageSec: number | null;
  pushLive: boolean;
  /** False: its provider never tells of changes. */
  canPush: boolean;
  pollSec: number;
  mirrors: { total: number; created: number; pendingYoung: number };
  ops: number;
  failedOps: number;
  /** Failures in a row. */
  failures: number;
  hasAccess: boolean;
  isChecked: boolean;
  isTarget: boolean;
}

export interface CalendarScore {
  score: number;
  weight: number;
  status: 'ok' | 'syncing' | 'error';
  parts: { freshness: number; mirrors: number; errors: number; push: number; access: boolean };
}

/** Time for which a block may wait before it counts as missing. */
export const pendingSlaMs = 300_000;
const pushedSec = 120;
const lostCap = 59;
const mostFailures = 5;

export function scoreCalendar(state: CalendarState): CalendarScore {
  const { ageSec, pushLive, canPush, pollSec, mirrors, ops, failedOps, hasAccess } = state;
  const dueSec = pushLive ? pushedSec : 2 * pollSec;
  const freshness = ageSec === null ? 0 : clamp(1 - (ageSec - dueSec) / (9 * dueSec));
  const standing = mirrors.total === 0 ? 1 : (mirrors.created + 0.5 * mirrors.pendingYoung) / mirrors.total;
  const errors = 1 - Math.min(1, (5 * failedOps) / Math.max(1, ops));
  const push = pushLive || !canPush ? 1 : 0.5;
  const score = hasAccess ? Math.round(100 * (0.35 * freshness + 0.3 * standing + 0.2 * errors + 0.15 * push)) : 0;
  const isBroken = !hasAccess || state.failures >= mostFailures || (ageSec !== null && ageSec > 10 * dueSec);
  return {
    score,
    weight: state.isChecked || state.isTarget ? 2 : 1,
    status: isBroken ? 'error' : ageSec === null ? 'syncing' : 'ok',
    parts: { freshness, mirrors: standing, errors, push, access: hasAccess },
  };
}

/** The score of all calendars; null where there are none. */
export function scoreAll(all: readonly (CalendarScore & { isChecked: boolean })[]): number | null {
  const weights = all.reduce((sum, { weight }) => sum + weight, 0);
  if (weights === 0) return null;
  const score = Math.round(all.reduce((sum, { score: one, weight }) => sum + one * weight, 0) / weights);
  return all.some(({ isChecked, parts }) => isChecked && !parts.access) ? Math.min(score, lostCap) : score;
}

const clamp = (value: number) => Math.max(0, Math.min(1, value));

/** An account as screens show it: its first three signs, and asterisks. */
export const maskAccount = (account: string) => `${account.slice(0, 3)}${'*'.repeat(Math.max(0, account.length - 3))}`;

/** A name in which every address is masked: a primary calendar is often called by its account's. */
export const maskName = (name: string) => name.replaceAll(/(?<![^\s@<>()])[^\s@<>()]+@[^\s@<>()]+/g, maskAccount);
