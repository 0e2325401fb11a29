import { eventsMoved } from '#features/calendar/events.ts';
import { listRefs } from '#features/calendar/public.ts';
import { type Calendar, listForgotten } from '#features/connections/public.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { startOver } from './store/pulls.ts';
import { storeChanges } from './store-changes.ts';

const calendarsAtOnce = 100;

/**
 * Removes the events of calendars that their provider stopped listing, after the grace period: from the store, the busy
 * index, search, and questions. Their blocks in other calendars are removed, too. A calendar that is listed again is
 * read again.
 */
export async function forgetRemoved(app: App, signal: AbortSignal): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const calendars = await listForgotten(app.db, { after, limit: calendarsAtOnce });
    for (const calendar of calendars) {
      signal.throwIfAborted();
      await forget(app, calendar);
    }
    if (calendars.length < calendarsAtOnce) return;
    after = calendars.at(-1)?.id ?? after;
  }
}

async function forget(app: App, calendar: Calendar): Promise<void> {
  const since = Temporal.Instant.fromEpochMilliseconds(app.clock.nowMs());
  const gone = await listRefs(app.db, calendar.id, since, null);
  if (gone.length === 0) return;
  await inTransaction(app.db, async (tx) => {
    await storeChanges(app, tx, calendar, { items: [], gone, absent: [] });
    await startOver(tx, calendar.id);
    await app.news.announce(tx, eventsMoved, { userId: calendar.userId });
    await app.feed.publish(tx, calendar.userId, 'calendar');
  });
}
