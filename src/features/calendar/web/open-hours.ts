import { availabilityContract } from '#features/availability/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { Span } from '#kernel/time/intervals.ts';
import { msOfInstant } from '#ui/format.ts';

const api = createClient(availabilityContract);

/** When the person is open, as a span list. Fetched behind the grid, with the contract it needs. */
export async function fetchOpenHours(range: Span, signal: AbortSignal): Promise<Span[]> {
  const text = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
  const query = { from: text(range.startMs), to: text(range.endMs) };
  const { spans } = await api.openHours({ query }, { signal });
  return spans.map(({ start, end }) => ({ startMs: msOfInstant(start), endMs: msOfInstant(end) }));
}
