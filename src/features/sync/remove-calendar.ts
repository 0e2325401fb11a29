import { endGrace, findCalendar } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { removalWanted } from './events.ts';

/**
 * Ends the grace of a calendar that its account no longer lists: its events take no time from now on, and leave with the next
 * job. *Errors*: AppError not-found, conflict STILL_LISTED.
 */
export async function removeCalendar(app: App, actor: Actor, calendarId: CalendarId): Promise<void> {
  const calendar = await findCalendar(app.db, calendarId);
  if (calendar === null || calendar.userId !== actor.userId) {
    throw new AppError('not-found', 'NOT_FOUND', 'Calendar not found.');
  }
  await inTransaction(app.db, async (tx) => {
    if (!(await endGrace(tx, calendarId))) {
      throw new AppError('conflict', 'STILL_LISTED', 'The account still lists this calendar. Nothing was changed.');
    }
    await app.news.announce(tx, removalWanted, { calendarId });
    await app.feed.publish(tx, actor.userId, ['accounts', 'calendar']);
  });
}
