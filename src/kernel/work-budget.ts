/** The limits of one piece of work. *Units*: characters or bytes, steps of recurrence rules, instances, milliseconds of computing. */
export interface WorkLimits {
  bytes: number;
  steps: number;
  instances: number;
  milliseconds: number;
}

export type WorkLimit = keyof WorkLimits;

/** Input asked for more work than its budget holds. `limit` names which limit was met. */
export class WorkLimitError extends Error {
  readonly limit: WorkLimit;
  readonly allowed: number;

  constructor(limit: WorkLimit, allowed: number) {
    super(`more than ${allowed} ${limit}`);
    this.name = 'WorkLimitError';
    this.limit = limit;
    this.allowed = allowed;
  }
}

/**
 * The work that one request or one reading of a calendar may cause, over everything that it brings. Created once where
 * the input arrives, and passed down to whatever parses, expands or stores it.
 */
export class WorkBudget {
  readonly #limits: WorkLimits;
  readonly #left: WorkLimits;

  constructor(limits: WorkLimits) {
    this.#limits = limits;
    this.#left = { ...limits };
  }

  left(limit: WorkLimit): number {
    return this.#left[limit];
  }

  /** *Errors*: WorkLimitError past the limit, and then nothing is spent. */
  spend(limit: WorkLimit, amount: number): void {
    if (amount > this.#left[limit]) throw this.exceeded(limit);
    this.#left[limit] -= amount;
  }

  exceeded(limit: WorkLimit): WorkLimitError {
    return new WorkLimitError(limit, this.#limits[limit]);
  }
}

/** Work with places at which it can pause: it yields there. */
export type Sliced<T> = Generator<undefined, T>;

/** Does sliced work without a pause: for input that is small. */
export function withoutPause<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
