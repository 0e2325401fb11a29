import { listBookingFacts } from '#features/booking/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { RunId, WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { listMailStates } from '#platform/mail-outbox.ts';
import type { workflowsContract } from '../contract.ts';
import { runsTopic } from '../events.ts';
import { emitToOwner, lockOwn } from '../owners.ts';
import type { RunView } from '../rules/workflow-endpoints.ts';
import {
  findWorkflowOf,
  type LoggedRun,
  listHanded,
  listLoggedRuns,
  noteHanded,
  reviveRun,
} from '../store/run-rows.ts';
import { listVersionRows } from '../store/workflow-rows.ts';
import { requireWorkflow } from '../workflows.ts';
import { sendJobs } from './jobs.ts';

type Listed = typeof workflowsContract.listWorkflowRuns;
type Facts = Awaited<ReturnType<typeof listBookingFacts>>;

const usual = 30;
const waiting = ['planned', 'claimed', 'handed'];

/** The log of a workflow, in a constant number of statements. *Errors*: AppError not-found. */
export async function listWorkflowRuns(
  app: App,
  actor: Actor,
  id: WorkflowId,
  { state, after = null, limit = usual }: Omit<Input<Listed>['query'], 'after'> & { after?: LoggedRun['id'] | null },
): Promise<Output<Listed>> {
  await requireWorkflow(app.db, actor, id);
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

/** Restarts a run that was given up. *Errors*: AppError not-found, conflict (`NOT_GIVEN_UP`). */
export async function retryRun(app: App, actor: Actor, id: RunId): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const workflowId = await findWorkflowOf(tx, id);
    if (workflowId === null) throw new AppError('not-found', 'NOT_FOUND', 'Run not found.');
    const owner = await requireWorkflow(tx, actor, workflowId);
    await lockOwn(tx, actor, owner);
    if (!(await reviveRun(tx, id, app.clock.nowMs())))
      throw new AppError('conflict', 'NOT_GIVEN_UP', "This run hasn't failed. It's waiting or finished.");
    for (const job of sendJobs) await app.jobs.send(job, {}, { tx });
    await emitToOwner(app, tx, owner, runsTopic);
  });
}

const mostAtOnce = 500;
const askAgainMs = 15_000;

/** Asks the outbox what became of mails that were handed to it. */
export async function followMails(app: App, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const nowMs = app.clock.nowMs();
    const handed = await listHanded(app.db, nowMs, mostAtOnce);
    if (handed.length === 0) return;
    const keys = handed.flatMap(({ reference }) => reference.split(' '));
    const states = new Map((await listMailStates(app.db, keys)).map((mail) => [mail.key, mail]));
    const ends = handed.map(({ id, reference }) => {
      // runs whose mails left the outbox are settled
      const mails = reference.split(' ').flatMap((mailKey) => states.get(mailKey) ?? []);
      if (mails.some(({ state }) => state === 'queued' || state === 'sending'))
        return { id, state: 'handed' as const, reason: null, nextMs: nowMs + askAgainMs };
      const lost = mails.find(({ state }) => state !== 'sent');
      if (lost === undefined) return { id, state: 'done' as const, reason: null, nextMs: null };
      if (lost.error === 'withdrawn' || lost.error === 'stopped')
        return { id, state: 'skipped' as const, reason: lost.error, nextMs: null };
      const reason = lost.state === 'bounced' ? 'bounced' : 'mail-refused';
      return { id, state: 'dead' as const, reason, nextMs: null };
    });
    for (const userId of await noteHanded(app.db, ends)) await app.feed.publish(app.db, userId, runsTopic);
    if (handed.length < mostAtOnce) return;
  }
}
