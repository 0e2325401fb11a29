import { randomUUIDv7 } from 'node:crypto';
import { loadOwnerZone } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RemoteCalendar } from '#providers/port.ts';
import { calendarsListed } from './events.ts';
import { calendarColor, isSameList } from './rules.ts';
import { listCalendars, writeCalendars } from './store/calendars.ts';

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
    })),
  );
  const before = known.filter((calendar) => calendar.connectionId === connection.id && !calendar.removed);
  if (say === 'if-changed' && isSameList(before, calendars)) return;
  await app.news.announce(tx, calendarsListed, { connectionId: connection.id, userId: connection.userId });
  await app.feed.publish(tx, connection.userId, 'accounts');
}
