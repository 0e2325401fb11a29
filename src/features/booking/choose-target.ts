import {
  type Calendar,
  type Connection,
  capabilitiesOf,
  listCalendars,
  listConnections,
  makesConference,
} from '#features/connections/public.ts';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { PublicType } from './find-public-type.ts';
import type { EventType } from './store/event-type-rows.ts';

export interface Target {
  /** Null where there is none. */
  calendarId: CalendarId | null;
  /** As `ProviderCapabilities`. */
  uidDomain: string | undefined;
}

/** Not known yet: it follows from who gets it. */
export const noTarget: Target = { calendarId: null, uidDomain: undefined };

/** The parts of an event type that decide its target calendar. */
interface Offered {
  type: Pick<EventType, 'settings'>;
  link: PublicType['link'];
}

/**
 * The calendar that what is booked is written to: the link's, else the event type's, else the host's first that can be
 * written to, and our own calendar only where there is no other. A meeting that a provider makes has its event there.
 */
export async function chooseTarget(db: Database, offer: Offered, hostId: UserId): Promise<Target> {
  const [calendars, connections] = await Promise.all([listCalendars(db, hostId), listConnections(db, hostId)]);
  const calendar = choose(offer, calendars, connections);
  const connection = connections.find(({ id }) => id === calendar?.connectionId);
  return {
    calendarId: calendar?.id ?? null,
    uidDomain: connection === undefined ? undefined : capabilitiesOf(connection).uidDomain,
  };
}

function choose(
  { type, link }: Offered,
  calendars: readonly Calendar[],
  connections: readonly Connection[],
): Calendar | undefined {
  const connected = new Set(connections.filter(({ status }) => status !== 'disconnecting').map(({ id }) => id));
  const writable = calendars.filter((one) => one.writable && !one.removed && connected.has(one.connectionId));
  const wanted =
    link?.kind === 'calendar'
      ? writable.find(({ id }) => id === link.calendarId)
      : link?.kind === 'account'
        ? writable.find(({ connectionId }) => connectionId === link.connectionId)
        : undefined;
  const ofType = writable.find(({ id }) => id === type.settings.target_calendar_id);
  const own = new Set(connections.filter(({ provider }) => provider === 'holdfast').map(({ id }) => id));
  // our own calendar is for people who have none elsewhere
  const elsewhere = writable.filter(({ connectionId }) => !own.has(connectionId));
  const usual = elsewhere.length > 0 ? elsewhere : writable;
  const first = usual.find(({ isPrimary }) => isPrimary) ?? usual[0];
  const { kind } = type.settings.location;
  if (kind !== 'google-meet' && kind !== 'teams') return wanted ?? ofType ?? first;
  const able = writable.filter((one) => {
    const connection = connections.find(({ id }) => id === one.connectionId);
    return connection !== undefined && makesConference(one, connection, kind);
  });
  const chosen = [wanted, ofType].find((one) => one !== undefined && able.includes(one));
  return chosen ?? able.find(({ isPrimary }) => isPrimary) ?? able[0] ?? wanted ?? ofType ?? first;
}
