const dayMs = 86_400_000;

export const longestTrialDays = 365;
/** What one press of the operator's adds to somebody's trial. */
export const extensionDays = 7;

export interface Trial {
  startedMs: number;
  endsMs: number;
}

export const beginTrial = (days: number, nowMs: number): Trial => ({ startedMs: nowMs, endsMs: nowMs + days * dayMs });

/** More days, from its end or from now where that has passed; null where the whole would be longer than a year. */
export function extendTrial({ startedMs, endsMs }: Trial, nowMs: number): Trial | null {
  const longer = Math.max(endsMs, nowMs) + extensionDays * dayMs;
  return longer - startedMs > longestTrialDays * dayMs ? null : { startedMs, endsMs: longer };
}
