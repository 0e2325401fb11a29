import { randomUUID } from 'node:crypto';
import { listHosts } from '#features/accounts/public.ts';
import { type BookingFacts, listBookingFacts, listFactIds, teamOfBooking } from '#features/booking/public.ts';
import type { BookingChange } from '#features/booking/rules/booking-states.ts';
import { listCalendarNames, listUnwell } from '#features/connections/public.ts';
import type { formSubmitted } from '#features/routing/events.ts';
import { countFailedByCalendar, listLostAccounts } from '#features/sync/public.ts';
import type { Announcement } from '#kernel/announcement.ts';
import type { BookingId, TeamId, UserId, WorkflowId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { withdrawMails } from '#platform/mail-outbox.ts';
import type { ListenerApp } from '#platform/news.ts';
import { runsTopic } from '../events.ts';
import { emitToOwner } from '../owners.ts';
import type { WorkflowOwner } from '../rules/action.ts';
import { mostOffsetMinutes } from '../rules/definition.ts';
import { type Matter, triggersOf } from '../rules/matter.ts';
import type { OtherMatter } from '../rules/other-matter.ts';
import { planRuns, type RunChange } from '../rules/plan-runs.ts';
import { shiftMs } from '../rules/timing.ts';
import { stepMailKeys } from '../steps/mails.ts';
import {
  changeRuns,
  insertRuns,
  listOpenBookings,
  listOutgoing,
  lockRunsOf,
  type RunRow,
  skipPlanned,
} from '../store/run-rows.ts';
import {
  findWorkflows,
  listActiveByTrigger,
  listActiveOf,
  listActiveWorkflows,
  lockWorkflows,
  lockWorkflowsAbout,
  type Workflow,
} from '../store/workflow-rows.ts';

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
async function planBookings(app: ListenerApp, tx: Tx, { bookingIds, workflows, isNews }: Planning): Promise<boolean> {
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

/**
 * Whether a workflow concerns a booking: a person's concerns their own, a team's those of its event types with any
 * host.
 */
export const isAbout = (workflow: WorkflowOwner, booking: WorkflowOwner) =>
  workflow.teamId === null ? workflow.userId === booking.userId : workflow.teamId === booking.teamId;

const happeningOf = ({ last }: BookingFacts) => ({
  what: last?.what ?? ('linked' as const),
  byHost: last?.actor === 'host',
  from: last?.from ?? null,
});

/** An event other than a booking that starts a workflow, once for each subject and occurrence. */
interface Happened {
  subject: string;
  occurrence: number;
  facts: OtherMatter;
}

/** A run for each step. */
function planOther(
  { id, userId, version, definition }: Workflow,
  { subject, occurrence, facts }: Happened,
  nowMs: number,
  zone: string,
): RunRow[] {
  return definition.steps.map((step, position) => ({
    id: randomUUID(),
    workflowId: id,
    userId,
    stepId: step.id,
    version,
    position,
    kind: step.action.kind,
    subject,
    bookingId: null,
    occurrence,
    state: 'planned',
    reason: null,
    facts,
    dueMs: shiftMs(nowMs, definition.offset, 1, zone),
    aboutMs: null,
  }));
}

/** The facts of a booking that decide about its runs. */
export function toMatter(facts: BookingFacts, hostZone: string): Matter {
  const { state, sequence, eventTypeId, startMs, endMs, guest, guestNoShow, hostNoShow, isFirst, isAlongside } = facts;
  return {
    state,
    sequence,
    eventTypeId,
    startMs,
    endMs,
    guestZone: guest.zone,
    hostZone,
    guestNoShow,
    hostNoShow,
    isFirst,
    isAlongside,
  };
}

/** Changes of a booking that plan runs. */
const followed: ReadonlySet<BookingChange> = new Set([
  'requested',
  'confirmed',
  'declined',
  'cancelled',
  'rescheduled',
  'reassigned',
  'no-show',
  'expired',
]);

/** Changes that end a meeting or move it. */
const ending: ReadonlySet<BookingChange> = new Set(['declined', 'cancelled', 'rescheduled', 'expired']);

/** Plans what follows from a change of a booking, in the transaction of that change. Answers whether something is due at once. */
export async function followBooking(
  app: ListenerApp,
  tx: Tx,
  heard: { bookingId: string; userId: string; what: BookingChange },
): Promise<boolean> {
  if (!followed.has(heard.what)) return false;
  const userId = heard.userId as UserId;
  if (ending.has(heard.what)) await withdrawOverdue(app, tx, heard.bookingId as BookingId);
  const bookingId = heard.bookingId as BookingId;
  const team = teamOfBooking(bookingId);
  await lockWorkflowsAbout(tx, userId, team);
  const workflows = await listActiveWorkflows(tx, userId, team);
  if (workflows.length === 0) return false;
  const isDue = await planBookings(app, tx, { bookingIds: [bookingId], workflows, isNews: true });
  await app.feed.publishToAll(tx, [...new Set([userId, ...workflows.map((one) => one.userId)])], runsTopic);
  return isDue;
}

type Submission = typeof formSubmitted extends Announcement<infer Heard> ? Heard : never;

/**
 * Plans what follows from a form's answers, in the transaction that keeps them: by workflows of the team whose form it is, or of
 * the person. Answers whether something is due at once.
 */
export async function followForm(app: ListenerApp, tx: Tx, heard: Submission): Promise<boolean> {
  const teamId = heard.teamId as TeamId | null;
  // each workflow of a team names its author
  const owner = { userId: heard.userId as UserId, teamId };
  await lockWorkflows(tx, owner, 'shared');
  const workflows = await listActiveOf(tx, owner, 'form-submitted');
  if (workflows.length === 0) return false;
  const makers = await listHosts(tx, [...new Set(workflows.map(({ userId }) => userId))]);
  const nowMs = app.clock.nowMs();
  const rows = workflows.flatMap((workflow) => {
    const zone = makers.get(workflow.userId)?.zone;
    if (zone === undefined) return [];
    const { name, email, phone } = heard;
    const said = [name, email, phone].some((one) => one !== null);
    const guest = said ? { name: name ?? '', email: email ?? '', phone, zone } : null;
    const answers = heard.answers.map(({ label, answer }) => ({ label, answer }));
    const facts = { kind: 'form' as const, form: heard.formName, answers, guest };
    return planOther(workflow, { subject: `submission ${heard.submissionId}`, occurrence: 0, facts }, nowMs, zone);
  });
  await insertRuns(tx, rows, nowMs);
  await emitToOwner(app, tx, owner, runsTopic);
  return rows.some(({ dueMs }) => dueMs <= nowMs);
}

interface Trouble extends Happened {
  userId: UserId;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * Plans what follows from accounts that were disconnected and from blocks that could not be written, for those who have a
 * workflow for it. By what is so: asked again, it is the same run. An account begins one for each time it is lost, blocks one
 * a day for each calendar that they could not be written to.
 */
export async function followTroubles(app: App): Promise<void> {
  const nowMs = app.clock.nowMs();
  const workflows = await listActiveByTrigger(app.db, ['calendar-disconnected', 'mirror-failed']);
  if (workflows.length === 0) return;
  const userIds = [...new Set(workflows.map(({ userId }) => userId))];
  const [lost, unwell, failed] = await Promise.all([
    listLostAccounts(app.db, userIds),
    listUnwell(app.db),
    countFailedByCalendar(app.db, userIds),
  ]);
  const names = await listCalendarNames(
    app.db,
    failed.map(({ calendarId }) => calendarId),
  );
  const happened: Record<string, Trouble[]> = {
    'calendar-disconnected': lost.flatMap(({ userId, connectionId, sinceMs }) => {
      const account = unwell.find(({ id }) => id === connectionId);
      if (account === undefined) return [];
      const facts = { kind: 'calendar' as const, account: account.label, problem: account.message ?? '' };
      return [{ userId, subject: `connection ${connectionId}`, occurrence: Math.floor(sinceMs / minuteMs), facts }];
    }),
    'mirror-failed': failed.map(({ userId, calendarId, count, message }) => ({
      userId,
      subject: `mirrors ${calendarId}`,
      occurrence: Math.floor(nowMs / dayMs),
      facts: {
        kind: 'calendar' as const,
        account: names.get(calendarId) ?? '',
        problem: `${count} × ${message ?? '?'}`,
      },
    })),
  };
  const rows = workflows.flatMap((workflow) =>
    (happened[workflow.definition.trigger] ?? [])
      .filter(({ userId }) => userId === workflow.userId)
      .flatMap((one) => planOther(workflow, one, nowMs, 'UTC')),
  );
  await inTransaction(app.db, (tx) => insertRuns(tx, rows, nowMs));
}

/**
 * A mail that nobody has begun to send says nothing any more of a meeting, or of a time, that is not so: whatever workflow it
 * is of, paused ones too, and also where the worker that handed it over died before it could say so.
 */
async function withdrawOverdue(app: ListenerApp, tx: Tx, bookingId: BookingId): Promise<void> {
  const outgoing = await listOutgoing(tx, bookingId);
  if (outgoing.length === 0) return;
  const booking = (await listBookingFacts(app, tx, [bookingId])).get(bookingId);
  const takesPlace = booking?.state === 'confirmed' || booking?.state === 'pending';
  const overdue = outgoing.filter(
    ({ aboutMs }) => !takesPlace || (aboutMs !== null && aboutMs !== booking.startMs && aboutMs !== booking.endMs),
  );
  await withdrawMails(tx, overdue.flatMap(stepMailKeys));
}

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
