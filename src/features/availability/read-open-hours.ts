import { AppError } from '#kernel/errors.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { printInstant } from '#kernel/time/local.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { listOpenHours } from './list-open-hours.ts';

const longestMs = 400 * dayMs;

/** When a person is open by their default. *Errors*: invalid RANGE. */
export async function readOpenHours(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
  { from, to }: { from: string; to: string },
): Promise<{ zone: string; spans: { start: string; end: string }[] }> {
  const startMs = Temporal.Instant.from(from).epochMilliseconds;
  const endMs = Temporal.Instant.from(to).epochMilliseconds;
  if (!(startMs < endMs && endMs - startMs <= longestMs))
    throw new AppError('invalid', 'RANGE', 'Ask for a range that ends after it begins and is at most 400 days long.');
  const [open] = await listOpenHours(db, [{ userId, policy: { kind: 'default' } }], { startMs, endMs }, clock.nowMs());
  const spans = open?.spans ?? [];
  return {
    zone: open?.zone ?? 'UTC',
    spans: spans.map((span) => ({ start: printInstant(span.startMs), end: printInstant(span.endMs) })),
  };
}
