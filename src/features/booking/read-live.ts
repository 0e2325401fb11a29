import { loadOwnerZone } from '#features/accounts/public.ts';
import type { Standing } from '#features/calendar/public.ts';
import { listStanding } from '#features/calendar/public.ts';
import { type Calendar, canBeAsked, findConnectionById, openAccount } from '#features/connections/public.ts';
import { findLimiter } from '#features/sync/public.ts';
import type { ItemId } from '#kernel/ids.ts';
import { boundsOf } from '#kernel/recurrence/occurrences.ts';
import type { App } from '#platform/app.ts';

/**
 * An event as its calendar has it at this moment: what was read may be older than what we wrote. Null: it is gone.
 * `unknown`: its account cannot be asked now.
 * *Errors*: ProviderError.
 */
export async function readLive(
  app: App,
  calendar: Calendar,
  event: { itemId: ItemId; ref: string },
  signal: AbortSignal,
): Promise<Pick<Standing, 'body' | 'startsMs' | 'endsMs'> | null | 'unknown'> {
  const connection = await findConnectionById(app.db, calendar.connectionId);
  if (connection === null || !canBeAsked(connection)) return 'unknown';
  if (connection.provider === 'holdfast')
    return (await listStanding(app.db, calendar.userId, [event.itemId]))[0] ?? null;
  const { events } = await openAccount(app, connection);
  if (events === undefined) return 'unknown';
  const found = await findLimiter(connection).run(() => events.read(calendar.ref, event.ref, signal), signal);
  if (found === null) return null;
  const { body } = found.item;
  const bounds = boundsOf(body, calendar.zone, await loadOwnerZone(app.db, calendar.userId));
  return { body, startsMs: bounds?.startMs ?? null, endsMs: bounds?.endMs ?? null };
}
