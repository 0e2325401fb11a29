import { randomUUIDv7 } from 'node:crypto';
import { loadOwnerZone } from '#features/accounts/public.ts';
import type { ConnectionId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import type { RemoteCalendar } from '#providers/port.ts';
import { openAccount } from './adapters.ts';
import { calendarMoved, calendarsListed } from './events.ts';
import { calendarColor, canBeAsked, isSameList } from './rules.ts';
import { listCalendars, writeCalendars } from './store/calendars.ts';
import { findConnectionById, updateStatus } from './store/connections.ts';

/** More calendars of an account are left out: each is a row, and is read at its provider again and again. */
export const mostListed = 500;
/** Characters; a calendar whose reference is longer is left out. */
const longest = { name: 200, ref: 1_000 };

const cutList = (calendars: readonly RemoteCalendar[]): RemoteCalendar[] =>
  calendars
    .filter(({ ref }) => ref.length <= longest.ref)
    .slice(0, mostListed)
    .map((calendar) => ({ ...calendar, name: calendar.name.slice(0, longest.name).toWellFormed() }));

/**
 * Stores what an account lists. Says so where something new follows from it: `always` after a sign-in, else when a
 * calendar came, went or can be written otherwise than before. One without a zone of its own has its owner's.
 */
export async function saveCalendars(
  app: Pick<App, 'news' | 'feed'>,
  tx: Tx,
  connection: { id: string; userId: UserId },
  listed: RemoteCalendar[],
  say: 'always' | 'if-changed',
): Promise<void> {
  const calendars = cutList(listed);
  const zone = await loadOwnerZone(tx, connection.userId);
  const known = await listCalendars(tx, connection.userId);
  await writeCalendars(
    tx,
    connection,
    calendars.map((calendar, index) => ({
      ...calendar,
      id: randomUUIDv7(),
      color: calendarColor(calendar.color, known.length + index),
      zone: calendar.zone ?? zone,
      zoneNamed: calendar.zone !== undefined,
    })),
  );
  const zones = new Map(known.filter((one) => one.connectionId === connection.id).map((one) => [one.ref, one.zone]));
  const hasMoved = ({ ref, zone: named }: RemoteCalendar) =>
    named !== undefined && zones.has(ref) && zones.get(ref) !== named;
  if (calendars.some(hasMoved)) await app.news.announce(tx, calendarMoved, { userId: connection.userId });
  const before = known.filter((calendar) => calendar.connectionId === connection.id && !calendar.removed);
  if (say === 'if-changed' && isSameList(before, calendars)) return;
  await app.news.announce(tx, calendarsListed, { connectionId: connection.id, userId: connection.userId });
  await app.feed.publish(tx, connection.userId, 'accounts');
}

/** Asks an account for its calendars again: new ones are followed, vanished ones are marked. Errors: ProviderError. */
export async function refreshCalendars(
  app: App,
  connectionId: ConnectionId,
  signal: AbortSignal,
  say: 'always' | 'if-changed' = 'if-changed',
): Promise<void> {
  const connection = await findConnectionById(app.db, connectionId);
  // one that waits for its person is left alone: each refusal more could lock it
  if (connection === null || !canBeAsked(connection)) return;
  const provider = await openAccount(app, connection);
  const calendars = await provider.listCalendars(signal);
  // an account that suddenly lists nothing has a problem of its own; its calendars are not gone
  if (calendars.length === 0) return;
  await inTransaction(app.db, async (tx) => {
    await saveCalendars(app, tx, connection, calendars, say);
    if (connection.status === 'error') await updateStatus(tx, connection.id, 'active', null);
  });
}
