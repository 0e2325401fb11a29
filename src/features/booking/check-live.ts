import { listCalendars } from '#features/connections/public.ts';
import { freshen } from '#features/sync/public.ts';
import type { App } from '#platform/app.ts';
import type { PublicType } from './find-public-type.ts';
import { everyHost } from './rules/type-hosts.ts';

/** The longest that a guest waits for calendars to be read anew. */
const timeoutMs = 3_000;

/**
 * Reads the calendars that stand in the way of an event type anew; true where all of them were. Where not, what is known
 * decides, and the booking says so.
 */
export async function checkLive(app: App, { type }: Pick<PublicType, 'type'>): Promise<boolean> {
  const { blocking_calendar_ids: chosen } = type.settings;
  const hosts = await Promise.all(everyHost(type).map((userId) => listCalendars(app.db, userId)));
  const calendars = hosts.flat().filter(({ id, removed }) => !removed && (chosen === null || chosen.includes(id)));
  const wanted = calendars.map(({ id }) => id);
  if (wanted.length === 0) return true;
  const fresh = await freshen(app, wanted, { timeoutMs });
  return wanted.every((id) => fresh.has(id));
}
