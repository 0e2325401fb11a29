import { randomUUID } from 'node:crypto';
import { listHosts } from '#features/accounts/public.ts';
import { type BookingFacts, listBookingFacts } from '#features/booking/public.ts';
import type { BookingId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import type { ListenerApp } from '#platform/news.ts';
import type { WorkflowOwner } from './rules/action.ts';
import { triggersOf } from './rules/matter.ts';
import { planRuns, type RunChange } from './rules/plan-runs.ts';
import { changeRuns, insertRuns, lockRunsOf, type RunRow } from './store/run-rows.ts';
import type { Workflow } from './store/workflow-rows.ts';
import { toMatter } from './to-matter.ts';

interface Planning {
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
  { bookingIds, workflows, isNews }: Planning,
): Promise<boolean> {
  if (workflows.length === 0 || bookingIds.length === 0) return false;
  const nowMs = app.clock.nowMs();
  const facts = await listBookingFacts(app, tx, bookingIds);
  const hosts = await listHosts(tx, [...new Set([...facts.values()].map(({ userId }) => userId))]);
  const runs = await lockRunsOf(
    tx,
    bookingIds,
    workflows.map(({ id }) => id),
  );
  const inserts: RunRow[] = [];
  const changes: RunChange[] = [];
  for (const booking of facts.values()) {
    const host = hosts.get(booking.userId);
    if (host === undefined) continue;
    const matter = toMatter(booking, host.zone);
    const begun = isNews ? triggersOf(happeningOf(booking), matter) : [];
    const ofBooking = runs.filter(({ bookingId }) => bookingId === booking.id);
    for (const workflow of workflows.filter((one) => isAbout(one, booking))) {
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

/** A person's are about what they host, a team's about what is booked of its event types, whoever hosts it. */
export const isAbout = (workflow: WorkflowOwner, booking: WorkflowOwner) =>
  workflow.teamId === null ? workflow.userId === booking.userId : workflow.teamId === booking.teamId;

const happeningOf = ({ last }: BookingFacts) => ({
  what: last?.what ?? ('linked' as const),
  byHost: last?.actor === 'host',
  from: last?.from ?? null,
});
