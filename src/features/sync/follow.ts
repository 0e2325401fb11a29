import { unplanCalendars } from '#features/calendar/public.ts';
import { findConnectionById, listCalendars, pushingProviders } from '#features/connections/public.ts';
import { newsOf } from '#kernel/announcement.ts';
import type { ConnectionId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { channelWorkWanted, planningWanted, readingOf, writingWanted } from './events.ts';
import { clearAccountPause } from './store/fences.ts';
import { listPartners } from './store/groups.ts';
import { writeSoon } from './store/mirrors.ts';
import { followCalendars, readSoon } from './store/pulls.ts';

/** An account's calendars are known: those that stand are followed and read at once, and what waited is written. */
export async function followConnection(app: App, connectionId: ConnectionId, userId: UserId): Promise<void> {
  const calendars = (await listCalendars(app.db, userId)).filter(
    (calendar) => calendar.connectionId === connectionId && !calendar.removed,
  );
  const connection = await findConnectionById(app.db, connectionId);
  await inTransaction(app.db, async (tx) => {
    // a calendar that came back, or turned writable, lacks what was planned without it; first, as who reads one takes it
    // before its reading's row
    await unplanCalendars(
      tx,
      await listPartners(
        tx,
        calendars.map((calendar) => calendar.id),
      ),
    );
    await followCalendars(
      tx,
      calendars.map((calendar) => ({ calendarId: calendar.id, userId, connectionId })),
    );
    await readSoon(
      tx,
      calendars.map((calendar) => calendar.id),
    );
    // a new password ends the pause that the old one caused
    await clearAccountPause(tx, connectionId);
    await writeSoon(tx, connectionId);
    const isPushing = pushingProviders.includes(connection?.provider ?? '');
    await app.news.announceAll(tx, [
      ...readingOf(calendars.map((calendar) => calendar.id)),
      newsOf(writingWanted, { connectionId }),
      ...(isPushing ? [newsOf(channelWorkWanted, { connectionId })] : []),
      newsOf(planningWanted, { userId }),
    ]);
  });
}
