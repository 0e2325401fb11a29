import type { CalendarId } from '#kernel/ids.ts';
import type { TypeSettings } from './type-settings.ts';

/**
 * Decides how event types treat a calendar that was last read at `lastSyncedMs` (semantics 11). The strictest counts;
 * null if it is fresh enough for all. A calendar that was just connected and never read is no problem.
 */
export function judgeFreshness(
  calendar: { id: CalendarId; lastSyncedMs: number | null; failures: number },
  types: readonly Pick<TypeSettings, 'freshness' | 'blocking_calendar_ids'>[],
  nowMs: number,
): 'block' | 'warn' | null {
  const { id, lastSyncedMs, failures } = calendar;
  if (lastSyncedMs === null && failures === 0) return null;
  const wanted = types
    .filter(({ blocking_calendar_ids: blocking }) => blocking === null || blocking.includes(id))
    .filter(({ freshness }) => nowMs - (lastSyncedMs ?? 0) > freshness.stale_after_minutes * 60_000)
    .map(({ freshness }) => freshness.on_stale);
  if (wanted.includes('block')) return 'block';
  return wanted.includes('warn') ? 'warn' : null;
}
