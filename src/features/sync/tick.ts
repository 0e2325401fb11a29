import { listActiveUserIds } from '#features/accounts/public.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { readingOf, writingAt } from './events.ts';
import { listDueConnections } from './store/mirrors.ts';
import { hastenPulls, takeDuePulls } from './store/pulls.ts';

/**
 * Calendars of people who look at them are read so long after they were read last; the rest as their provider says. A
 * quiet reading is one request, so that five seconds cost little, and a change is mirrored within eight.
 */
const activePoll = { plainMs: 5_000, pushedMs: 30_000 };
/** A calendar handed to a reader that never comes back is handed out again after this. */
const retryMs = 120_000;
const mostPulls = 500;
/** A person with thousands of calendars leaves most of a beat to others. */
const mostPullsOfPerson = 40;

/** The heartbeat: hands out what is due to be read and written. Whatever got lost elsewhere is found here again. */
export async function tick(app: App): Promise<void> {
  const nowMs = app.clock.nowMs();
  await hastenPulls(app.db, await listActiveUserIds(app.db), activePoll);
  const writers = await listDueConnections(app.db, nowMs);
  await inTransaction(app.db, async (tx) => {
    const calendars = await takeDuePulls(tx, { nowMs, retryMs, limit: mostPulls, ofPerson: mostPullsOfPerson });
    await app.news.announceAll(tx, [...readingOf(calendars), ...writingAt(writers)]);
  });
}
