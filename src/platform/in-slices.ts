import { setImmediate } from 'node:timers/promises';
import { type Sliced, type WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';

/** A slice ends at the first pause after this time. Between two pauses lies far less than the 50 ms that others may wait. */
const sliceMs = 8;

/** Slices of all work in this process take turns: one for each turn of the event loop. */
let lastTurn: Promise<void> = Promise.resolve();
let waiting = 0;

/**
 * Does sliced work in pieces, and lets everybody else of this process have their turn in between. Its computing time
 * counts against the budget; the work is told at a pause where that is used up, and may end with what it has.
 * *Errors*: WorkLimitError `milliseconds` unless the work catches it, and whatever the work throws.
 */
export async function inSlices<T>(work: Sliced<T>, budget?: WorkBudget): Promise<T> {
  if (waiting > 0) await nextTurn();
  let refusal: WorkLimitError | null = null;
  for (;;) {
    const beganMs = performance.now();
    let tookMs = 0;
    while (tookMs < sliceMs) {
      const step = refusal === null ? work.next() : work.throw(refusal);
      if (step.done === true) return step.value;
      refusal = null;
      tookMs = performance.now() - beganMs;
    }
    refusal = chargeFor(tookMs, budget);
    if (refusal === null) await nextTurn();
  }
}

function chargeFor(tookMs: number, budget: WorkBudget | undefined): WorkLimitError | null {
  try {
    budget?.spend('milliseconds', tookMs);
    return null;
  } catch (error) {
    if (error instanceof WorkLimitError) return error;
    throw error;
  }
}

/** Waits for a turn of the event loop in which no other such work runs: before computing that takes some milliseconds. */
export async function nextTurn(): Promise<void> {
  waiting += 1;
  lastTurn = lastTurn.then(() => setImmediate());
  await lastTurn;
  waiting -= 1;
}
