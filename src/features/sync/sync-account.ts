import { findConnection, listCalendars } from '#features/connections/public.ts';
import { newsOf } from '#kernel/announcement.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { listingWanted, readingOf, writingWanted } from './events.ts';
import { readSoon } from './store/pulls.ts';

/** Reads every calendar of an account now, writes what waits for it, and asks whether it has new calendars. */
export async function syncAccount(app: App, actor: Actor, accountId: string): Promise<void> {
  const connection = await findConnection(app.db, actor, accountId);
  if (connection === null || connection.status === 'disconnecting') {
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such account.');
  }
  const calendars = (await listCalendars(app.db, actor.userId)).filter(
    (calendar) => calendar.connectionId === connection.id && !calendar.removed,
  );
  await inTransaction(app.db, async (tx) => {
    await readSoon(
      tx,
      calendars.map((calendar) => calendar.id),
    );
    await app.news.announceAll(tx, [
      ...readingOf(calendars.map((calendar) => calendar.id)),
      newsOf(writingWanted, { connectionId: connection.id }),
      newsOf(listingWanted, { connectionId: connection.id }),
    ]);
  });
}
