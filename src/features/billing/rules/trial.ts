const dayMs = 86_400_000;

export interface Trial {
  startedMs: number;
  endsMs: number;
}

export const beginTrial = (days: number, nowMs: number): Trial => ({ startedMs: nowMs, endsMs: nowMs + days * dayMs });
