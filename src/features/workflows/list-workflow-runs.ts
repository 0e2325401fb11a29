import { listBookingFacts } from '#features/booking/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import type { WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { listMailStates } from '#platform/mail-outbox.ts';
import type { workflowsContract } from './contract.ts';
import { loadWorkflow } from './load-workflow.ts';
import type { RunView } from './rules/workflow-endpoints.ts';
import { type LoggedRun, listLoggedRuns } from './store/run-rows.ts';
import { listVersionRows } from './store/workflow-rows.ts';

type Listed = typeof workflowsContract.listWorkflowRuns;
type Facts = Awaited<ReturnType<typeof listBookingFacts>>;

const usual = 30;
const waiting = ['planned', 'claimed', 'handed'];

/** What a workflow did, will do, or did not do and why, in as many statements however many. *Errors*: AppError not-found. */
export async function listWorkflowRuns(
  app: App,
  actor: Actor,
  id: WorkflowId,
  { state, after = null, limit = usual }: Omit<Input<Listed>['query'], 'after'> & { after?: LoggedRun['id'] | null },
): Promise<Output<Listed>> {
  await loadWorkflow(app.db, actor, id);
  const states = state === undefined ? null : state === 'waiting' ? waiting : [state];
  const rows = await listLoggedRuns(app.db, id, { state: states, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const keys = page.flatMap(({ kind, reference }) => (kind === 'send-email' ? (reference?.split(' ') ?? []) : []));
  const [facts, mails, versions] = await Promise.all([
    listBookingFacts(app, app.db, [
      ...new Set(page.flatMap(({ bookingId }) => (bookingId === null ? [] : [bookingId]))),
    ]),
    listMailStates(app.db, keys),
    listVersionRows(app.db, id),
  ]);
  const mailOf = new Map(mails.map(({ key, ...mail }) => [key, mail]));
  const stepOf = (run: LoggedRun) =>
    (versions.find(({ n }) => n === run.version)?.definition.steps.findIndex((step) => step.id === run.stepId) ?? -1) +
    1;
  return {
    runs: page.map((run) => ({
      ...toView(run, facts),
      step: stepOf(run),
      mails: run.kind === 'send-email' ? (run.reference?.split(' ') ?? []).flatMap((key) => mailOf.get(key) ?? []) : [],
    })),
    more: rows.length > limit,
  };
}

function toView(run: LoggedRun, facts: Facts): Omit<RunView, 'step' | 'mails'> {
  const booking = run.bookingId === null ? undefined : facts.get(run.bookingId);
  const { id, kind, version, state, reason, bookingId, dueMs, nextMs, settledMs, attempts, reference, delivery } = run;
  return {
    id,
    kind,
    version,
    state,
    reason,
    about: booking?.title ?? (run.facts?.kind === 'form' ? run.facts.form : (run.facts?.account ?? '')),
    guest: booking?.guest.name ?? (run.facts?.kind === 'form' ? (run.facts.guest?.name ?? null) : null),
    booking_id: bookingId,
    booking_at: booking?.startMs ?? null,
    due_at: dueMs,
    next_at: state === 'planned' && nextMs !== null && nextMs > dueMs ? nextMs : null,
    ended_at: settledMs,
    reference: kind === 'send-email' ? null : reference,
    delivery: delivery === null ? null : { status: delivery.status, error_code: delivery.errorCode },
    attempts: attempts.map(({ atMs, outcome, reason: why }) => ({
      at: atMs,
      outcome: outcome as RunView['attempts'][number]['outcome'],
      reason: why,
    })),
  };
}
