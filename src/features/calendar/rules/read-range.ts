import { AppError } from '#kernel/errors.ts';

/** The longest range of events or edits. *Units*: days. */
export const mostRangeDays = 100;

/** The range a screen asks for, as epoch ms, half-open. *Errors*: AppError invalid (RANGE). */
export function readRange(
  query: { from: string; to: string },
  mostDays = mostRangeDays,
): { fromMs: number; toMs: number } {
  const fromMs = Temporal.Instant.from(query.from).epochMilliseconds;
  const toMs = Temporal.Instant.from(query.to).epochMilliseconds;
  if (toMs <= fromMs || toMs - fromMs > mostDays * 86_400_000) {
    throw new AppError('invalid', 'RANGE', `Choose a range of up to ${mostDays} days that ends after it begins.`);
  }
  return { fromMs, toMs };
}
