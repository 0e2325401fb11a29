import { listFactIds } from '#features/booking/public.ts';
import type { BookingId, WorkflowId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { planBookings } from './plan-bookings.ts';
import { mostOffsetMinutes } from './rules/definition.ts';
import { listOpenBookings, skipPlanned } from './store/run-rows.ts';
import { findWorkflows, lockWorkflows } from './store/workflow-rows.ts';

const page = 100;

/** Has what a workflow planned be what it is now: of every booking that is to come, or ended so lately that it counts. */
export async function replanWorkflow(app: App, id: WorkflowId, signal: AbortSignal): Promise<void> {
  const workflow = (await findWorkflows(app.db, [id])).get(id);
  if (workflow === undefined || !workflow.active) {
    await inTransaction(app.db, (tx) =>
      skipPlanned(tx, id, workflow === undefined ? 'deleted' : 'paused', app.clock.nowMs()),
    );
    return;
  }
  const endsAfterMs = app.clock.nowMs() - mostOffsetMinutes * 60_000;
  const lists = [
    (after: BookingId | null) => listOpenBookings(app.db, id, after, page),
    (after: BookingId | null) => listFactIds(app.db, workflow, { endsAfterMs, after, limit: page }),
  ];
  for (const list of lists) {
    let after: BookingId | null = null;
    for (;;) {
      signal.throwIfAborted();
      const bookingIds: BookingId[] = await list(after);
      after = bookingIds.at(-1) ?? null;
      if (after === null) break;
      await inTransaction(app.db, async (tx) => {
        await lockWorkflows(tx, workflow, 'shared');
        const workflows = [...(await findWorkflows(tx, [id])).values()].filter(({ active }) => active);
        await planBookings(app, tx, { bookingIds, workflows, isNews: false });
      });
    }
  }
}
