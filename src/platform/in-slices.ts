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
  let step = work.next();
  for (;;) {
    const beganMs = performance.now();
    let tookMs = 0;
    while (step.done !== true && tookMs < sliceMs) {
      step = work.next();
      tookMs = performance.now() - beganMs;
    }
    if (step.done === true) return step.value;
    const refusal = chargeFor(tookMs, budget);
    if (refusal !== null) step = work.throw(refusal);
    else await nextTurn();
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

async function nextTurn(): Promise<void> {
  waiting += 1;
  lastTurn = lastTurn.then(() => setImmediate());
  await lastTurn;
  waiting -= 1;
}
