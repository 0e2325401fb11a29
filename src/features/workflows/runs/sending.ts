import { listHosts } from '#features/accounts/public.ts';
import { type BookingFacts, listBookingFacts } from '#features/booking/public.ts';
import type { RunId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { nextTurn } from '#platform/in-slices.ts';
import { listMailStates, withdrawMails } from '#platform/mail-outbox.ts';
import { runsTopic } from '../events.ts';
import { unconnectedMail } from '../mail.ts';
import type { ActionKind, Handed, PerformedRun, RenderedAction, StepOutcome } from '../rules/action.ts';
import { judgeOther, judgeRun, type Verdict } from '../rules/judge-run.ts';
import { retryAfterMs } from '../rules/retry.ts';
import { runKeyOf, stepMailKeys } from '../steps/mails.ts';
import { renderStep, type Told } from '../steps/rendering.ts';
import { type Channel, channels, performStep } from '../steps/steps.ts';
import type { StepHost } from '../steps/values.ts';
import { beginRun, type ClaimedRun, claimRuns, countMailed, type RunEnd, settleRuns } from '../store/run-rows.ts';
import { findWorkflows, type Workflow } from '../store/workflow-rows.ts';
import { isAbout, toMatter } from './planning.ts';
import { judgeRight, loadRights, type Rights } from './rights.ts';

/** Kinds that are claimed together, how many at once, how many of one person, and how many of them go out side by side. */
interface Lane {
  kinds: readonly ActionKind[];
  limit: number;
  ofPerson: number;
  abreast: number;
}

/** Mail goes to our own outbox, many at a time. Runs that wait for other services do not delay it. */
const lanes = {
  mail: { kinds: ['send-email'], limit: 50, ofPerson: 25, abreast: 4 },
  outside: { kinds: ['send-sms', 'notify-slack', 'push-to-crm'], limit: 8, ofPerson: 2, abreast: 8 },
} as const satisfies Record<string, Lane>;
export type LaneName = keyof typeof lanes;

/** Characters of filled texts after which a group of runs is handed over: no more of them are kept in memory. */
const groupChars = 250_000;

/** A worker that is not heard of for so long has died: what it claimed is claimed again. */
const leaseMs = 90_000;
const mostClaims = 10;
/** The same for a run whose worker died while it had the run: preparing or sending the run may be why. */
const mostReturns = 3;
const mostMailsADay = 2_000;
const dayMs = 86_400_000;
/** How soon the outbox is asked what became of a mail. */
const askAfterMs = 5_000;

/** Does what is due of one lane, batch by batch, until nothing is. Several may do so at once. */
export async function sendDue(app: App, name: LaneName, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const claimed = await claimDue(app, name);
    if (claimed.length === 0) return;
    await sendClaimed(app, claimed, lanes[name], signal);
    await app.feed.publishToAll(app.db, [...new Set(claimed.map(({ userId }) => userId))], runsTopic);
  }
}

/** Runs of a worker that died come after all others, and one at a time: the one that killed it takes no other with it. */
export async function claimDue({ db, clock }: Pick<App, 'db' | 'clock'>, name: LaneName): Promise<ClaimedRun[]> {
  const { kinds, limit, ofPerson } = lanes[name];
  const options = { kinds, ofPerson, leaseMs, nowMs: clock.nowMs() };
  const planned = await claimRuns(db, { ...options, from: 'planned', limit });
  return planned.length > 0 ? planned : claimRuns(db, { ...options, from: 'claimed', limit: 1 });
}

/** Prepares runs one at a time, and hands them over in groups of a bounded size. */
async function sendClaimed(app: App, claimed: readonly ClaimedRun[], lane: Lane, signal: AbortSignal): Promise<void> {
  const batch = await loadBatch(app, claimed);
  let [ready, ends, chars]: [Ready[], RunEnd[], number] = [[], [], 0];
  for (const run of claimed) {
    await nextTurn();
    const judged = prepare(app, run, batch);
    if ('handed' in judged) {
      ready.push(judged);
      chars += charsOf(judged.handed.rendered);
    } else ends.push(judged);
    if (chars < groupChars) continue;
    await handOver(app, ready, { ends, batch, lane, signal });
    [ready, ends, chars] = [[], [], 0];
  }
  await handOver(app, ready, { ends, batch, lane, signal });
}

const charsOf = (rendered: RenderedAction): number =>
  rendered.kind === 'send-email'
    ? rendered.mails.reduce((sum, { subject, body }) => sum + subject.length + body.length, rendered.ics?.length ?? 0)
    : 'body' in rendered
      ? rendered.body.length
      : 0;

/** Carries runs out, and settles them and the `ends` of others. */
async function handOver(
  app: App,
  ready: readonly Ready[],
  { ends, batch, lane, signal }: { ends: RunEnd[]; batch: Batch; lane: Lane; signal: AbortSignal },
): Promise<void> {
  const settle = async (some: readonly RunEnd[]) => {
    const whole = await Promise.all(some.map((end) => withEarlier(app, end)));
    await settleRuns(app.db, whole, app.clock.nowMs());
    await tellUnconnected(app, whole, batch);
  };
  const together = await performTogether(app, ready);
  const alone = ready.filter(({ handed }) => !together.has(handed.run.id));
  for (const one of ready) {
    const outcome = together.get(one.handed.run.id);
    if (outcome !== undefined) ends.push(afterwards(one, outcome, app.clock.nowMs()));
  }
  await settle(ends);
  const walk = async () => {
    for (let one = alone.shift(); one !== undefined; one = alone.shift()) {
      signal.throwIfAborted();
      await settle([await performAlone(app, one)]);
    }
  };
  await Promise.all(Array.from({ length: lane.abreast }, walk));
}

/** Runs of somebody who is suspended or has no right at the moment, and runs that wait for a reader, are due again after this. */
const restMs = 600_000;

interface Batch {
  workflows: Map<string, Workflow>;
  bookings: Map<string, BookingFacts>;
  /** Hosts of the bookings and makers of the workflows. */
  hosts: Map<string, StepHost & { suspended: boolean }>;
  rights: Rights;
  mailed: Map<UserId, number>;
}

/** The data of a batch, in a constant number of statements. */
async function loadBatch(app: App, claimed: readonly ClaimedRun[]): Promise<Batch> {
  const makers = claimed.map(({ userId }) => userId);
  const nowMs = app.clock.nowMs();
  const [workflows, bookings, mailed] = await Promise.all([
    findWorkflows(app.db, [...new Set(claimed.map(({ workflowId }) => workflowId))]),
    listBookingFacts(app, app.db, [
      ...new Set(claimed.flatMap(({ bookingId }) => (bookingId === null ? [] : [bookingId]))),
    ]),
    countMailed(app.db, [...new Set(makers)], nowMs - dayMs),
  ]);
  const hostIds = [...bookings.values()].map(({ userId }) => userId);
  const [hosts, rights] = await Promise.all([
    listHosts(app.db, [...new Set([...makers, ...hostIds])]),
    loadRights(app.db, [...workflows.values()], [...bookings.values()]),
  ]);
  return { workflows, bookings, hosts, rights, mailed };
}

/** A run that is to be carried out, and until when there is a use in it. */
interface Ready {
  claimed: ClaimedRun;
  handed: Handed;
  lastMs: number;
}

/** A claimed run to carry out, or how it ends without. */
function prepare(app: App, run: ClaimedRun, batch: Batch): Ready | RunEnd {
  const nowMs = app.clock.nowMs();
  try {
    return judge(app, run, batch, nowMs);
  } catch (error) {
    app.log.error({ err: error, runId: run.id, kind: run.kind }, 'a step of a workflow could not be prepared');
    return afterwards({ claimed: run, lastMs: Number.POSITIVE_INFINITY }, fault, nowMs);
  }
}

const endOf = (run: ClaimedRun) => ({ run, reference: null, nextMs: null, outcome: null });

function judge(app: App, run: ClaimedRun, batch: Batch, nowMs: number): Ready | RunEnd {
  const { id, attempts, generation } = run;
  const end = endOf(run);
  const skipped = (reason: string): RunEnd => ({ ...end, state: 'skipped', reason });
  if (run.begun) return { ...end, state: 'dead', reason: 'unknown-outcome', outcome: 'unknown' };
  // the run takes its worker with it
  if (attempts > (run.isReturned ? mostReturns : mostClaims))
    return { ...end, state: 'dead', reason: 'unfinished', outcome: 'unknown' };

  const workflow = batch.workflows.get(run.workflowId) ?? null;
  const booking = run.bookingId === null ? null : (batch.bookings.get(run.bookingId) ?? null);
  const host = batch.hosts.get(booking?.userId ?? run.userId);
  if (host === undefined) return skipped('gone');
  if (host.suspended) return { ...end, state: 'planned', reason: null, nextMs: nowMs + restMs };
  const verdict: Verdict =
    run.facts === null
      ? judgeRun(run, workflow, booking === null ? null : toMatter(booking, host.zone), nowMs)
      : judgeOther(run, workflow, host.zone, nowMs);
  if (verdict.do === 'skip') return skipped(verdict.reason);
  if (verdict.do === 'wait') return { ...end, state: 'planned', reason: null, nextMs: verdict.untilMs };
  if (workflow === null) return skipped('deleted');
  if (booking !== null && !isAbout(workflow, booking)) return skipped('reassigned');
  const owner = batch.hosts.get(workflow.userId);
  const right = judgeRight(batch.rights, workflow, owner, verdict.action, booking);
  if (right === 'no') return skipped('no-right');
  if (right === 'wait' || owner === undefined)
    return { ...end, state: 'planned', reason: null, nextMs: nowMs + restMs };

  if (run.kind === 'send-email' && (batch.mailed.get(run.userId) ?? 0) >= mostMailsADay)
    return skipped('too-many-mails');
  const told: Told | null = run.facts !== null ? { other: run.facts } : booking === null ? null : { booking };
  if (told === null) return skipped('gone');
  const setting = {
    host,
    owner,
    publicUrl: app.config.publicUrl,
    from: app.mail.from.address,
    nowMs,
    expiresAtMs: verdict.latestMs,
  };
  const made = renderStep(verdict.action, told, setting);
  if (!made.ok) return skipped(made.reason);
  if (made.rendered.kind === 'send-email') {
    const mailed = batch.mailed.get(run.userId) ?? 0;
    batch.mailed.set(run.userId, mailed + made.rendered.mails.length);
  }
  const performed: PerformedRun = {
    id,
    key: runKeyOf(id, generation),
    userId: run.userId,
    teamId: workflow.teamId,
    workflowId: run.workflowId,
    stepId: run.stepId,
    booking: booking === null ? null : { id: booking.id, sequence: booking.sequence },
    subject: run.subject,
    attempt: attempts,
    isTest: false,
  };
  return { claimed: run, handed: { run: performed, rendered: made.rendered }, lastMs: verdict.latestMs };
}

/** Tells the owner of a workflow that a service of it is not connected: perhaps they took it over from somebody else. */
async function tellUnconnected(app: App, ends: readonly RunEnd[], { workflows, hosts }: Batch): Promise<void> {
  for (const { run, reason } of ends) {
    const workflow = workflows.get(run.workflowId);
    const owner = workflow && hosts.get(workflow.userId);
    if (reason !== 'no-credential' || workflow === undefined || owner === undefined) continue;
    const mail = unconnectedMail(workflow, owner, app.config.publicUrl);
    await inTransaction(app.db, (tx) => app.mail.send(tx, mail));
  }
}

/** Carries out runs of one kind together. If that fails, none is done: one of them may be the cause. */
async function performTogether(app: App, ready: readonly Ready[]): Promise<Map<RunId, StepOutcome>> {
  const outcomes: [RunId, StepOutcome][] = [];
  for (const [kind, some] of Map.groupBy(ready, ({ claimed }) => claimed.kind)) {
    const performAll = (channels[kind] as Channel<ActionKind> | undefined)?.performAll;
    if (performAll === undefined || some.length === 1) continue;
    try {
      outcomes.push(
        ...(await performAll(
          app,
          some.map(({ handed }) => handed),
        )),
      );
    } catch (error) {
      app.log.warn({ err: error, kind, count: some.length }, 'steps of workflows are carried out one by one');
    }
  }
  return new Map(outcomes);
}

async function performAlone(app: App, one: Ready): Promise<RunEnd> {
  const { claimed, handed } = one;
  if (channels[claimed.kind]?.isRepeatable === false && !(await beginRun(app.db, claimed)))
    return { ...endOf(claimed), state: 'skipped', reason: 'overtaken' };
  const outcome = await perform(app, handed.run, handed.rendered);
  return afterwards(one, outcome, app.clock.nowMs());
}

/** A run that is left out may have gone out in an attempt before this one, of which nobody heard. */
async function withEarlier(app: App, end: RunEnd): Promise<RunEnd> {
  const { run } = end;
  const isOver = end.state === 'skipped' || end.state === 'dead';
  if (!isOver || run.kind !== 'send-email' || run.attempts === 1) return end;
  const keys = await takeBack(app, run);
  if (keys.length === 0) return end;
  return {
    ...end,
    state: 'handed',
    reason: null,
    reference: keys.join(' '),
    nextMs: app.clock.nowMs(),
    outcome: 'done',
  };
}

/** An unexpected error is logged and retried like any other failure. */
async function perform(app: App, run: PerformedRun, rendered: Parameters<typeof performStep>[2]): Promise<StepOutcome> {
  try {
    return await performStep(app, run, rendered);
  } catch (error) {
    app.log.error({ err: error, runId: run.id, kind: rendered.kind }, 'a step of a workflow failed');
    return fault;
  }
}

const fault: StepOutcome = { outcome: 'refused', reason: 'fault', permanent: false };

function afterwards({ claimed, lastMs }: Omit<Ready, 'handed'>, outcome: StepOutcome, nowMs: number): RunEnd {
  const end = endOf(claimed);
  if (outcome.outcome === 'done') {
    const { reference } = outcome;
    return claimed.kind === 'send-email'
      ? { ...end, state: 'handed', reason: null, reference, nextMs: nowMs + askAfterMs, outcome: 'done' }
      : { ...end, state: 'done', reason: null, reference, outcome: 'done' };
  }
  if (outcome.outcome === 'skipped') return { ...end, state: 'skipped', reason: outcome.reason };
  if (outcome.outcome === 'waits') return { ...end, state: 'planned', reason: outcome.reason, nextMs: nowMs + restMs };
  const { reason, permanent } = outcome;
  const waitMs = permanent ? null : retryAfterMs(claimed.attempts, outcome.retryAfterMs);
  if (waitMs === null || nowMs + waitMs >= lastMs) return { ...end, state: 'dead', reason, outcome: 'refused' };
  return { ...end, state: 'planned', reason, nextMs: nowMs + waitMs, outcome: 'again' };
}

/**
 * Withdraws mails that an earlier attempt queued before its worker died. Returns the keys of mails that were already being
 * sent: the log must show them.
 */
function takeBack(app: Pick<App, 'db'>, run: ClaimedRun): Promise<string[]> {
  const keys = stepMailKeys(run);
  return inTransaction(app.db, async (tx) => {
    await withdrawMails(tx, keys);
    const mails = await listMailStates(tx, keys);
    return mails.flatMap(({ key, state, error }) => (state === 'failed' && error === 'withdrawn' ? [] : [key]));
  });
}
