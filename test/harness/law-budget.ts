import fc from 'fast-check';

/** One of how many examples is tried: `set-law-budget.ts` decides. It is 1 where nothing was set. */
const oneOf = () => 100 / (fc.readConfigureGlobal().numRuns ?? 100);

/** The number of runs of a law within the budget; `full` is the number without one. */
export function runs(full: number): number {
  return Math.ceil(full / oneOf());
}

/** The examples of a list within the budget. Other turns give other ones, so that several turns try all of them. */
export function share<T>(examples: readonly T[], turn: number): T[] {
  return examples.filter((_, at) => (at + turn) % oneOf() === 0);
}
