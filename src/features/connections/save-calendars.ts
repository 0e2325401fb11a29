import { randomUUIDv7 } from 'node:crypto';
import { loadOwnerZone } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import type { RemoteCalendar } from '#providers/port.ts';
import { calendarsListed } from './events.ts';
import { calendarColor, isSameList } from './rules.ts';
import { listCalendars, writeCalendars } from './store/calendars.ts';

/**
 * Stores what an account lists. Says so where something new follows from it: `always` after a sign-in, else when a
 * calendar came, went or can be written otherwise than before. One without a zone of its own has its owner's.
 */
export async function saveCalendars(
  app: Pick<App, 'news' | 'feed'>,
  tx: Tx,
  connection: { id: string; userId: UserId },
  calendars: RemoteCalendar[],
  say: 'always' | 'if-changed',
): Promise<void> {
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
