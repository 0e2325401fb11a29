import { type Calendar, findConnection, listCalendars, updateStatus } from '#features/connections/public.ts';
import { newsOf } from '#kernel/announcement.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { type Allowance, takeAllowances } from '#platform/limits.ts';
import { listingWanted, readingOf, writingWanted } from './events.ts';
import { readSoon } from './store/pulls.ts';

/** Readings past a backoff that one person may ask for: a server may be silent, or its answers costly. */
const retries: Allowance = { action: 'readings past a backoff', burst: 60, periodSeconds: 600 };

/**
 * Reads every calendar of an account now, writes what waits for it, and asks whether it has new calendars. A feed that was gone
 * or refused us is tried once more, as its publisher may have put it back. Past 60 failed calendars in ten minutes, others wait
 * for their time.
 * *Errors*: AppError not-found, conflict (NEEDS_RECONNECT) where a new sign-in or password is needed first.
 */
export async function syncAccount(app: App, actor: Actor, accountId: string): Promise<void> {
  const connection = await findConnection(app.db, actor, accountId);
  if (connection === null || connection.status === 'disconnecting') {
    throw new AppError('not-found', 'NOT_FOUND', 'Account not found.');
  }
  const isRefused = connection.status === 'needs-reconnect';
  if (isRefused && connection.provider !== 'ics') {
    throw new AppError('conflict', 'NEEDS_RECONNECT', "This account can't be read. Reconnect it first.");
  }
  const all = (await listCalendars(app.db, actor.userId)).filter(
    (calendar) => calendar.connectionId === connection.id && !calendar.removed,
  );
  const calendars: Calendar[] = [];
  let hasRoom = true;
  for (const calendar of all) {
    if (calendar.failures > 0) hasRoom &&= (await takeAllowances(app.db, retries, [actor.userId])).size > 0;
    if (calendar.failures === 0 || hasRoom) calendars.push(calendar);
  }
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
