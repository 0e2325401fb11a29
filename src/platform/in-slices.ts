import { type Sliced, type WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';

/** A slice ends at the first pause after this time. Between two pauses lies far less than the 50 ms that others may wait. */
const sliceMs = 8;

/** Slices of all work in this process take turns: one for each turn of the event loop. */
const waiting: { usedMs: number; go: () => void }[] = [];
let isTurnSet = false;

/**
 * Does sliced work in pieces, and lets everybody else of this process have their turn in between. Its computing time
 * counts against the budget; the work is told at a pause where that is used up, and may end with what it has.
 * *Errors*: WorkLimitError `milliseconds` unless the work catches it, and whatever the work throws.
 */
export async function inSlices<T>(work: Sliced<T>, budget?: WorkBudget): Promise<T> {
  if (waiting.length > 0) await nextTurn();
  let usedMs = 0;
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
    usedMs += tookMs;
    refusal = chargeFor(tookMs, budget);
    if (refusal === null) await nextTurn(usedMs);
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

/**
 * Waits for a turn of the event loop in which no other such work runs: before computing that takes some milliseconds. The work
 * that has computed least goes first, so a page or a week does not wait for 40 files. `usedMs`: its computing so far.
 */
export function nextTurn(usedMs = 0): Promise<void> {
  return new Promise((go) => {
    waiting.push({ usedMs, go });
    setTurn();
  });
}

function setTurn(): void {
  if (isTurnSet || waiting.length === 0) return;
  isTurnSet = true;
  setImmediate(() => {
    isTurnSet = false;
    const first = waiting.reduce((least, one) => (one.usedMs < least.usedMs ? one : least));
    waiting.splice(waiting.indexOf(first), 1);
    first.go();
    setTurn();
  });
}
