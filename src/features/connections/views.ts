import type * as z from 'zod/mini';
import { openSimulation } from '#features/simulation/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { faceOf, isOAuthProvider } from '#providers/registry.ts';
import type { accountShape, integrationCalendarShape } from './contract.ts';
import { type Calendar, listCalendars } from './store/calendars.ts';
import { type Connection, listConnections } from './store/connections.ts';

type AccountView = z.output<typeof accountShape>;
type CalendarView = z.output<typeof integrationCalendarShape>;

/** Connected accounts with the status line of their calendars; two queries. */
export async function listAccounts(app: App, actor: Actor): Promise<AccountView[]> {
  const [connections, calendars] = await Promise.all([
    listConnections(app.db, actor.userId),
    listCalendars(app.db, actor.userId),
  ]);
  return Promise.all(
    connections.map(async (connection) => ({
      ...accountView(
        connection,
        calendars.filter((calendar) => calendar.connectionId === connection.id),
      ),
      simulatedPage: await findSimulatedPage(app, connection),
    })),
  );
}

async function findSimulatedPage(app: App, { provider, profile, addresses }: Connection): Promise<string | null> {
  const [address] = addresses;
  if (profile !== 'simulated' || !isOAuthProvider(provider) || address === undefined) return null;
  const simulation = await openSimulation(app, provider);
  return simulation?.pageOf(address) ?? null;
}

function accountView(connection: Connection, calendars: Calendar[]): Omit<AccountView, 'simulatedPage'> {
  const live = calendars.filter((calendar) => !calendar.removed);
  // holidays and the like never announce anything, nor does anybody miss it
  const announced = live.filter((calendar) => calendar.writable);
  const failing = live.find((calendar) => calendar.failures > 0);
  const unread = live.some((calendar) => calendar.lastSyncedMs === null);
  const oldest = live.reduce<number | null>((least, { lastSyncedMs }) => earlier(least, lastSyncedMs), null);
  // changes of our own calendar need no push
  const isOwn = connection.provider === 'holdfast';
  const broken = connection.status === 'error' || connection.status === 'needs-reconnect';
  return {
    accountId: connection.id,
    provider: faceOf(connection).word,
    profile: connection.profile,
    email: connection.label,
    status: broken || failing !== undefined ? 'error' : unread ? 'syncing' : 'active',
    needsReconnect: connection.status === 'needs-reconnect',
    disconnecting: connection.status === 'disconnecting',
    message: connection.statusMessage ?? failing?.errorMessage ?? null,
    lastSyncedAt: isoOf(oldest),
    canReconnectWithPassword: connection.provider === 'caldav' || connection.provider === 'ics',
    following: isOwn || (announced.length > 0 && announced.every((calendar) => calendar.pushLive)) ? 'live' : 'polling',
    reconnectUrl: reconnectUrlOf(connection),
  };
}

/** Where one click gives access again: at providers that people sign in at; null elsewhere. */
export function reconnectUrlOf({ provider, id }: Connection): string | null {
  return isOAuthProvider(provider) ? `/provider/${provider}/start?accountId=${id}` : null;
}

const noLongerListed =
  'This calendar was deleted or is no longer shared. Its events are removed after six hours. Syncing resumes if the calendar comes back.';

export function calendarView(calendar: Calendar): CalendarView {
  return {
    calendarId: calendar.id,
    accountId: calendar.connectionId,
    name: calendar.name,
    color: calendar.color,
    isPrimary: calendar.isPrimary,
    includeInUnified: calendar.includeInUnified,
    visible: calendar.visible,
    writable: calendar.writable,
    conferences: calendar.conferences,
    removed: calendar.removed,
    leavesAt: isoOf(calendar.leavesMs),
    left: calendar.left,
    lastSyncedAt: isoOf(calendar.lastSyncedMs),
    error: calendar.removed ? noLongerListed : (calendar.errorMessage ?? calendar.writeErrorMessage),
  };
}

const earlier = (one: number | null, other: number | null) =>
  one === null ? other : other === null ? one : Math.min(one, other);

/** Epoch ms as the wire has it. */
export const isoOf = (ms: number | null) =>
  ms === null ? null : Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 });
