import { capabilitiesOf, listCalendars, listConnections } from '#features/connections/public.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { PublicType } from './find-public-type.ts';

/**
 * The calendar that what is booked is written to: the link's, else the event type's, else the host's first that can be
 * written to. A meeting that a provider makes has its event there. Null where there is none.
 */
export async function chooseTarget(db: Database, { type, link }: PublicType): Promise<CalendarId | null> {
  const [calendars, connections] = await Promise.all([
    listCalendars(db, type.userId),
    listConnections(db, type.userId),
  ]);
  const connected = new Set(connections.filter(({ status }) => status !== 'disconnecting').map(({ id }) => id));
  const writable = calendars.filter((one) => one.writable && !one.removed && connected.has(one.connectionId));
  const wanted =
    link?.kind === 'calendar'
      ? writable.find(({ id }) => id === link.calendarId)
      : link?.kind === 'account'
        ? writable.find(({ connectionId }) => connectionId === link.connectionId)
        : undefined;
  const ofType = writable.find(({ id }) => id === type.settings.target_calendar_id);
  const first = writable.find(({ isPrimary }) => isPrimary) ?? writable[0];
  const { kind } = type.settings.location;
  if (kind !== 'google-meet' && kind !== 'teams') return (wanted ?? ofType ?? first)?.id ?? null;
  const makers = new Set(connections.filter((one) => capabilitiesOf(one).conference === kind).map(({ id }) => id));
  const able = writable.filter(({ connectionId }) => makers.has(connectionId));
  const chosen = [wanted, ofType].find((one) => one !== undefined && able.includes(one));
  return (chosen ?? able.find(({ isPrimary }) => isPrimary) ?? able[0] ?? wanted ?? ofType ?? first)?.id ?? null;
}
