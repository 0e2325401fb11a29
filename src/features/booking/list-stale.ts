import { type Calendar, listCalendars } from '#features/connections/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { judgeFreshness } from './rules/judge-freshness.ts';
import { listTypes } from './store/event-type-rows.ts';

/**
 * Calendars that a person's event types read and that were not read for longer than one of them allows. `blocks`: one of
 * them offers nothing meanwhile.
 */
export async function listStale(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  userId: UserId,
): Promise<(Calendar & { blocks: boolean })[]> {
  const types = (await listTypes(db, userId)).filter(({ settings }) => !settings.paused);
  if (types.length === 0) return [];
  const nowMs = clock.nowMs();
  const settings = types.map((type) => type.settings);
  return (await listCalendars(db, userId)).flatMap((calendar) => {
    const verdict = calendar.removed ? null : judgeFreshness(calendar, settings, nowMs);
    return verdict === null ? [] : [{ ...calendar, blocks: verdict === 'block' }];
  });
}
