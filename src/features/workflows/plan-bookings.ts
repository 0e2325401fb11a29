import { randomUUID } from 'node:crypto';
import { listHosts } from '#features/accounts/public.ts';
import { type BookingFacts, listBookingFacts } from '#features/booking/public.ts';
import type { BookingId, UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { ListenerApp } from '#platform/news.ts';
import { triggersOf } from './rules/matter.ts';
import { planRuns, type RunChange } from './rules/plan-runs.ts';
import { changeRuns, insertRuns, lockRunsOf, type RunRow } from './store/run-rows.ts';
import type { Workflow } from './store/workflow-rows.ts';
import { toMatter } from './to-matter.ts';

interface Planning {
  userId: UserId;
  bookingIds: readonly BookingId[];
  /** In force, or some of them. */
  workflows: readonly Workflow[];
  /** The booking has just changed: its last change begins what it begins. Otherwise only what has times is looked at. */
  isNews: boolean;
}

/**
 * Brings the runs of some bookings in line with what should stand, in the caller's transaction, which holds the lock of the
 * workflows. Answers whether something is due at once.
 */
export async function planBookings(
  app: ListenerApp,
  tx: Tx,
  { userId, bookingIds, workflows, isNews }: Planning,
): Promise<boolean> {
  if (workflows.length === 0 || bookingIds.length === 0) return false;
  const nowMs = app.clock.nowMs();
  const facts = await listBookingFacts(app, tx, bookingIds);
  const host = (await listHosts(tx, [userId])).get(userId);
  if (host === undefined) return false;
  const runs = await lockRunsOf(
    tx,
    bookingIds,
    workflows.map(({ id }) => id),
  );
  const inserts: RunRow[] = [];
  const changes: RunChange[] = [];
  for (const booking of facts.values()) {
    const matter = toMatter(booking, host.zone);
    const begun = isNews ? triggersOf(happeningOf(booking), matter) : [];
    const ofBooking = runs.filter(({ bookingId }) => bookingId === booking.id);
    for (const workflow of workflows) {
      const plan = planRuns({
        workflow,
        matter,
        runs: ofBooking.filter(({ workflowId }) => workflowId === workflow.id),
        begun,
        isNews,
        nowMs,
      });
      changes.push(...plan.changes);
      for (const run of plan.inserts)
        inserts.push({
          ...run,
          id: randomUUID(),
          workflowId: workflow.id,
          userId: workflow.userId,
          subject: `booking ${booking.id}`,
          bookingId: booking.id,
          facts: null,
        });
    }
  }
  await changeRuns(tx, changes, nowMs);
  await insertRuns(tx, inserts, nowMs);
  return [...inserts, ...changes].some(({ state, dueMs }) => state === 'planned' && dueMs <= nowMs);
}

const happeningOf = ({ last }: BookingFacts) => ({
  what: last?.what ?? ('linked' as const),
  byHost: last?.actor === 'host',
  from: last?.from ?? null,
});
