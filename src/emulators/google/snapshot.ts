import { type Resource, renderEvent } from './render-event.ts';
import type { AccessRole, World } from './world.ts';

export interface Snapshot {
  accounts: Record<string, { calendars: Record<string, SnapshotCalendar>; refreshTokens: number; scopes: string[] }>;
  channels: { id: string; calendar: string | null; address: string; expiresAtMs: number; live: boolean }[];
}

export interface SnapshotCalendar {
  summary: string;
  timeZone: string;
  role: AccessRole | null;
  deleted: boolean;
  /** Changes so far. */
  revision: number;
  /** Live masters, single events and exceptions, as their owner reads them. */
  events: Resource[];
  /** Ids of tombstones and of cancelled occurrences. */
  cancelled: string[];
}

export function snapshotOf(world: World, nowMs: number): Snapshot {
  const accounts: Snapshot['accounts'] = {};
  for (const user of world.users.values()) {
    const calendars: Record<string, SnapshotCalendar> = {};
    for (const id of user.list.keys()) {
      const calendar = world.calendars.get(id)!;
      const all = [...calendar.events.values()];
      const view = { calendar, role: 'owner' as const, busyOnly: false, timeZone: null, maxAttendees: null };
      calendars[id] = {
        summary: calendar.summary,
        timeZone: calendar.timeZone,
        role: calendar.roles.get(user.email) ?? null,
        deleted: calendar.deleted,
        revision: calendar.log.length,
        events: all.filter(({ status }) => status !== 'cancelled').map((event) => renderEvent(event, view)),
        cancelled: all.filter(({ status }) => status === 'cancelled').map((event) => event.id),
      };
    }
    const grants = world.grants.filter((grant) => grant.user === user.email && !grant.revoked);
    accounts[user.email] = {
      calendars,
      refreshTokens: [...world.refreshTokens.values()].filter((token) => !token.dead && grants.includes(token.grant))
        .length,
      scopes: grants.flatMap((grant) => [...grant.scopes]),
    };
  }
  const channels = [...world.channels.values()].map(({ id, calendarId, address, expiresAtMs, stopped }) => ({
    id,
    calendar: calendarId,
    address,
    expiresAtMs,
    live: !stopped && expiresAtMs > nowMs,
  }));
  return { accounts, channels };
}
