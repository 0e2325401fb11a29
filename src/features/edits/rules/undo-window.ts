import type { StepsOf } from './steps.ts';

/** So long what is done can be undone. */
export const undoWithinMs = 600_000;

interface Undoable extends StepsOf {
  state: string;
  attempts: number;
  notBeforeMs: number;
  settledMs: number | null;
  undoneBy: string | null;
}

/** Until when an edit can be taken back, epoch ms: as long as it waits; null where it cannot any more. */
export function undoUntilMs(edit: Undoable, nowMs: number): number | null {
  if (edit.undoneBy !== null || edit.state === 'undone') return null;
  if (edit.state !== 'done')
    return edit.notBeforeMs > nowMs && isUntouched(edit) ? edit.notBeforeMs : Number.POSITIVE_INFINITY;
  const untilMs = (edit.settledMs ?? 0) + undoWithinMs;
  return untilMs > nowMs ? untilMs : null;
}

/** Nobody has begun to write it. */
export const isUntouched = ({ step, attempts }: Pick<Undoable, 'step' | 'attempts'>) => step === 0 && attempts === 0;
