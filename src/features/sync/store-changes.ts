import { eventsChanged } from '#features/calendar/events.ts';
import { applyChanges, holdPlans, unplanItems } from '#features/calendar/public.ts';
import type { Calendar } from '#features/connections/public.ts';
import { newsOf } from '#kernel/announcement.ts';
import type { WorkBudget } from '#kernel/work-budget.ts';
import type { App } from '#platform/app.ts';
import { send, type Tx } from '#platform/db.ts';
import { planningWanted, writingAt } from './events.ts';
import { loadWorld } from './load-world.ts';
import { planPage } from './plan-page.ts';
import type { Page } from './rules/settle-own.ts';
import { settleOwn } from './rules/settle-own.ts';
import { doubtBlocks, listKnownBlocks, markTouched, verifyBlocks } from './store/own-blocks.ts';

/**
 * Stores what a calendar was seen to hold, plans what is plain of it, and has the planner look when anything else changed
 * that matters to it. In the caller's transaction; `at` is when it was asked at the earliest, where that is not now, and
 * `more` where the next page follows, `budget` that of the reading. *Errors*: WorkLimitError past it.
 */
export async function storeChanges(
  app: App,
  tx: Tx,
  calendar: Calendar,
  page: Page,
  { at = null, more = false, budget }: { at?: Temporal.Instant | null; more?: boolean; budget?: WorkBudget } = {},
): Promise<void> {
  const nowMs = app.clock.nowMs();
  const refs = [...page.items.map((item) => item.ref), ...page.gone, ...page.absent];
  const [, world, known] = await Promise.all([
    holdPlans(tx, calendar.id),
    loadWorld(tx, calendar.userId, nowMs),
    listKnownBlocks(tx, calendar.id, refs, at),
  ]);
  const settled = settleOwn(page, known);
  // the ledger before the events, as whoever stores outcomes does: nobody waits for a row of it while he holds an event
  const [touched] = await Promise.all([
    markTouched(tx, settled.touched),
    verifyBlocks(tx, settled.verified),
    doubtBlocks(tx, settled.doubted),
  ]);
  const topics = ['calendar'];
  const toWrite = new Set(settled.doubted.length > 0 ? [calendar.connectionId] : []);
  const changed = await applyChanges(
    tx,
    {
      calendarId: calendar.id,
      userId: calendar.userId,
      calendarZone: calendar.zone,
      ownerZone: world.zone,
      holdRules: world.holdRules,
    },
    { items: settled.items, gone: settled.gone, absent: settled.absent },
    nowMs,
    async (items) => {
      const { left, accounts } = await planPage(app, tx, world, calendar.id, items);
      for (const account of accounts) toWrite.add(account);
      if (accounts.size > 0) topics.push('mirrors');
      return left;
    },
    budget,
  );
  send(
    tx,
    unplanItems(tx, touched),
    app.news.announceAll(tx, [
      ...writingAt(toWrite),
      ...(changed || touched.length > 0 ? [newsOf(planningWanted, { userId: calendar.userId })] : []),
      newsOf(eventsChanged, { calendarId: calendar.id, more }),
    ]),
    app.feed.publish(tx, calendar.userId, topics),
  );
}
