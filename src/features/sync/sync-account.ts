import { findConnection, listCalendars, updateStatus } from '#features/connections/public.ts';
import { newsOf } from '#kernel/announcement.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { listingWanted, readingOf, writingWanted } from './events.ts';
import { readSoon } from './store/pulls.ts';

/**
 * Reads every calendar of an account now, writes what waits for it, and asks whether it has new calendars. A feed that was gone
 * or refused us is tried once more, as its publisher may have put it back.
 * *Errors*: AppError not-found, conflict (NEEDS_RECONNECT) where a new sign-in or password is needed first.
 */
export async function syncAccount(app: App, actor: Actor, accountId: string): Promise<void> {
  const connection = await findConnection(app.db, actor, accountId);
  if (connection === null || connection.status === 'disconnecting') {
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such account.');
  }
  const isRefused = connection.status === 'needs-reconnect';
  if (isRefused && connection.provider !== 'ics') {
    throw new AppError('conflict', 'NEEDS_RECONNECT', 'This account cannot be read. Reconnect it first.');
  }
  const calendars = (await listCalendars(app.db, actor.userId)).filter(
    (calendar) => calendar.connectionId === connection.id && !calendar.removed,
  );
  await inTransaction(app.db, async (tx) => {
    if (isRefused) await updateStatus(tx, connection.id, 'active', null);
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
