import { loadOwnerZone } from '#features/accounts/public.ts';
import { eventsChanged } from '#features/calendar/events.ts';
import { applyChanges, holdPlans, unplanItems } from '#features/calendar/public.ts';
import type { Calendar } from '#features/connections/public.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { planningWanted, writingWanted } from './events.ts';
import { planPage } from './plan-page.ts';
import type { Page } from './rules/settle-own.ts';
import { settleOwn } from './rules/settle-own.ts';
import { doubtBlocks, listKnownBlocks, markTouched, verifyBlocks } from './store/own-blocks.ts';

/**
 * Stores what a calendar was seen to hold, plans what is plain of it, and has the planner look when anything else changed
 * that matters to it. In the caller's transaction.
 */
export async function storeChanges(app: App, tx: Tx, calendar: Calendar, page: Page): Promise<void> {
  await holdPlans(tx, calendar.id);
  const refs = [...page.items.map((item) => item.ref), ...page.gone, ...page.absent];
  const settled = settleOwn(page, await listKnownBlocks(tx, calendar.id, refs));
  // the ledger before the events, as whoever stores outcomes does: nobody waits for a row of it while he holds an event
  await verifyBlocks(tx, settled.verified);
  const touched = await markTouched(tx, settled.touched);
  await doubtBlocks(tx, settled.doubted);
  const ownerZone = await loadOwnerZone(tx, calendar.userId);
  const changed = await applyChanges(
    tx,
    { calendarId: calendar.id, userId: calendar.userId, calendarZone: calendar.zone, ownerZone },
    { items: settled.items, gone: settled.gone },
    app.clock.nowMs(),
    (items) => planPage(app, tx, calendar, items),
  );
  await unplanItems(tx, touched);
  if (settled.doubted.length > 0) await app.news.announce(tx, writingWanted, { connectionId: calendar.connectionId });
  if (changed || touched.length > 0) await app.news.announce(tx, planningWanted, { userId: calendar.userId });
  await app.news.announce(tx, eventsChanged, { calendarId: calendar.id });
  await app.feed.publish(tx, calendar.userId, 'calendar');
}
