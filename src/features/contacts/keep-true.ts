import { listCalendars } from '#features/connections/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { contactsTopic } from './events.ts';
import { listOwnAddresses } from './list-own-addresses.ts';
import { readCalendar } from './read-calendar.ts';
import { dropOwn, markDue } from './store/contact-rows.ts';
import { keepHeld } from './store/meeting-rows.ts';

/** The calendar keeps instances for ninety days: well before, what was held is written down. */
const heldAfterMs = 60 * 86_400_000;

/** Everything of a person's contacts, whatever was heard of it. */
export async function keepTrue(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  userId: UserId,
  signal: AbortSignal,
): Promise<void> {
  for (const { id } of await listCalendars(app.db, userId)) await readCalendar(app, id, signal);
  const own = await listOwnAddresses(app.db, userId);
  await inTransaction(app.db, async (tx) => {
    await keepHeld(tx, userId, app.clock.nowMs() - heldAfterMs);
    await dropOwn(tx, userId, [...own]);
    // who is gone has none, and nothing is left of them but this job
    if ((await markDue(tx, userId, null)) > 0) await app.feed.publish(tx, userId, contactsTopic);
  });
}
