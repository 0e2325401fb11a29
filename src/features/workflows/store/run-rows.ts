import { sql } from 'kysely';
import type { BookingId, RunId, StepId, UserId, WorkflowId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { ActionKind } from '../rules/action.ts';
import type { OtherMatter } from '../rules/other-matter.ts';
import type { KnownRun, RunChange } from '../rules/plan-runs.ts';

/** Runs that are planned, running, done or given up. Times are epoch ms. */

type BookingRun = KnownRun & { id: RunId; workflowId: WorkflowId; bookingId: BookingId };

/** All runs of some bookings by these workflows, which nobody claims until the caller's transaction ends. */
export async function lockRunsOf(
  tx: Tx,
  bookingIds: readonly BookingId[],
  workflowIds: readonly WorkflowId[],
): Promise<BookingRun[]> {
  const { rows } = await sql<BookingRun>`
    select id, workflow_id as "workflowId", booking_id as "bookingId", step_id as "stepId", occurrence, state, reason,
      due_ms as "dueMs", about_ms as "aboutMs", version, position
    from workflows.runs where booking_id = any(${bookingIds}::uuid[]) and workflow_id = any(${workflowIds}::uuid[])
    order by id for update`.execute(tx);
  return rows;
}

/** Mails of a booking that are on their way, or may be. */
export async function listOutgoing(
  tx: Tx,
  bookingId: BookingId,
): Promise<{ id: RunId; generation: number; aboutMs: number | null }[]> {
  const { rows } = await sql<{ id: RunId; generation: number; aboutMs: number | null }>`
    select id, generation, about_ms as "aboutMs" from workflows.runs
    where booking_id = ${bookingId} and kind = 'send-email' and state in ('claimed', 'handed')`.execute(tx);
  return rows;
}

export interface RunRow {
  id: string;
  workflowId: WorkflowId;
  userId: UserId;
  stepId: StepId;
  version: number;
  position: number;
  kind: ActionKind;
  subject: string;
  bookingId: BookingId | null;
  occurrence: number;
  state: 'planned' | 'skipped';
  reason: string | null;
  facts: OtherMatter | null;
  dueMs: number;
  aboutMs: number | null;
}

/** Existing rows stay unchanged. */
export async function insertRuns(tx: Tx, rows: readonly RunRow[], nowMs: number): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into workflows.runs (id, workflow_id, user_id, step_id, version, position, kind, subject, booking_id, occurrence,
      state, reason, facts, due_ms, about_ms, next_ms, created_ms, settled_ms)
    select id, "workflowId", "userId", "stepId", version, position, kind, subject, "bookingId", occurrence, state, reason,
      facts, "dueMs", "aboutMs", case when state = 'planned' then "dueMs" end, ${nowMs}::bigint,
      case when state = 'skipped' then ${nowMs}::bigint end
    from jsonb_to_recordset(${jsonb(rows)}) as given(id uuid, "workflowId" uuid, "userId" uuid, "stepId" uuid, version int,
      position int, kind text, subject text, "bookingId" uuid, occurrence int, state text, reason text, facts jsonb,
      "dueMs" bigint, "aboutMs" bigint)
    on conflict (workflow_id, step_id, subject, occurrence) do nothing`.execute(tx);
}

/** Changes runs that have not begun. */
export async function changeRuns(tx: Tx, changes: readonly RunChange[], nowMs: number): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    update workflows.runs r set state = given.state, reason = given.reason, due_ms = given."dueMs",
      about_ms = given."aboutMs", version = given.version, position = given.position, kind = given.kind,
      attempts = case when r.due_ms = given."dueMs" then r.attempts else 0 end,
      next_ms = case when given.state = 'planned' then greatest(given."dueMs", case when r.due_ms = given."dueMs" then r.next_ms end) end,
      settled_ms = case when given.state = 'skipped' then ${nowMs}::bigint end
    from jsonb_to_recordset(${jsonb(changes)}) as given(id uuid, state text, reason text, "dueMs" bigint, "aboutMs" bigint,
      version int, position int, kind text)
    where r.id = given.id and r.state in ('planned', 'skipped')`.execute(tx);
}

/** Nothing of a workflow that is switched off, or gone, goes out any more. */
export async function skipPlanned(tx: Tx, workflowId: WorkflowId, reason: string, nowMs: number): Promise<void> {
  await sql`
    update workflows.runs set state = 'skipped', reason = ${reason}, next_ms = null, settled_ms = ${nowMs}
    where workflow_id = ${workflowId} and state = 'planned'`.execute(tx);
}

/** After a restore: runs that were due in the backup may have been done since, so they are skipped. */
export async function skipDue(tx: Tx, nowMs: number): Promise<void> {
  await sql`
    update workflows.runs set state = 'skipped', reason = 'late', next_ms = null, settled_ms = ${nowMs}
    where state in ('planned', 'claimed') and due_ms <= ${nowMs}`.execute(tx);
}

/** Bookings that a workflow has planned something for which was not done. */
export async function listOpenBookings(
  db: Database,
  workflowId: WorkflowId,
  after: BookingId | null,
  limit: number,
): Promise<BookingId[]> {
  const { rows } = await sql<{ id: BookingId }>`
    select distinct booking_id as id from workflows.runs
    where workflow_id = ${workflowId} and state = 'planned' and booking_id is not null
      and (${after}::uuid is null or booking_id > ${after})
    order by 1 limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export interface ClaimedRun {
  id: RunId;
  workflowId: WorkflowId;
  userId: UserId;
  stepId: StepId;
  kind: ActionKind;
  subject: string;
  bookingId: BookingId | null;
  occurrence: number;
  facts: OtherMatter | null;
  dueMs: number;
  aboutMs: number | null;
  /** 1 for the first; outcomes under an older one are not taken. */
  attempts: number;
  generation: number;
  /** The attempt before this one had spoken with a service, and nobody knows what came of it. */
  begun: boolean;
  /** An earlier worker claimed the run, and was not heard of again. */
  isReturned: boolean;
  /** It has waited until its reader confirms their address. */
  isWaiting: boolean;
}

interface ClaimOptions {
  /** `planned`: runs that are due. `claimed`: runs of a worker that was not heard of since its lease ended. */
  from: 'planned' | 'claimed';
  kinds: readonly ActionKind[];
  nowMs: number;
  leaseMs: number;
  limit: number;
  ofPerson: number;
}

/** Claims runs. At most `ofPerson` runs of one person are claimed at a time, those included that are under way. */
export async function claimRuns(db: Database, options: ClaimOptions): Promise<ClaimedRun[]> {
  const { from, kinds, nowMs, leaseMs, limit, ofPerson } = options;
  const idsWithin = sql`
    select id from (
      select id, coalesce(u.runs, 0) + row_number() over (partition by d.user_id order by d.next_ms, d.position) as place
      from workflows.runs d left join (
        select user_id, count(*) as runs from workflows.runs
        where state = 'claimed' and next_ms > ${nowMs} and next_ms <= ${nowMs + leaseMs} and kind = any(${kinds}::text[])
        group by user_id) u on u.user_id = d.user_id
      where d.state = ${sql.lit(from)} and d.next_ms <= ${nowMs} and d.kind = any(${kinds}::text[])) each_person
    where place <= ${ofPerson}`;
  const { rows } = await sql<ClaimedRun & { position: number }>`
    with due as materialized (
      select id from workflows.runs
      where state = ${sql.lit(from)} and next_ms <= ${nowMs} and kind = any(${kinds}::text[]) and id = any(array(${idsWithin}))
      order by next_ms, position limit ${limit} for update skip locked)
    update workflows.runs r set state = 'claimed', attempts = r.attempts + 1, next_ms = ${nowMs + leaseMs}::bigint
    from due where r.id = due.id
    returning r.id, r.workflow_id as "workflowId", r.user_id as "userId", r.step_id as "stepId", r.kind, r.subject,
      r.booking_id as "bookingId", r.occurrence, r.facts, r.due_ms as "dueMs", r.about_ms as "aboutMs", r.attempts,
      r.generation, r.begun, r.position, r.reason is not distinct from 'unproved' as "isWaiting",
      ${from === 'claimed'}::boolean as "isReturned"`.execute(db);
  return rows.toSorted((a, b) => a.dueMs - b.dueMs || a.position - b.position);
}

/** Notes that a service is about to be spoken with that cannot tell a repetition; false where somebody else has the run. */
export async function beginRun(db: Database, { id, attempts }: Pick<ClaimedRun, 'id' | 'attempts'>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workflows.runs set begun = true where id = ${id} and state = 'claimed' and attempts = ${attempts}`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

export interface RunEnd {
  run: ClaimedRun;
  state: 'planned' | 'handed' | 'done' | 'skipped' | 'dead';
  reason: string | null;
  reference: string | null;
  nextMs: number | null;
  /** The outcome of the attempt; null: there was none. */
  outcome: 'done' | 'refused' | 'again' | 'unknown' | null;
}

/** Outcomes, each taken only under the newest claim. */
export async function settleRuns(db: Database, ends: readonly RunEnd[], nowMs: number): Promise<void> {
  if (ends.length === 0) return;
  const given = ends.map(({ run: { id, attempts, generation }, ...end }) => ({ id, attempts, generation, ...end }));
  await sql`
    with given as (
      select * from jsonb_to_recordset(${jsonb(given)}) as given(id uuid, attempts int, generation int, state text, reason text,
        reference text, "nextMs" bigint, outcome text)),
    -- in the order in which whoever plans holds them, or two would wait for each other
    held as materialized (
      select r.id from workflows.runs r join given g on r.id = g.id order by r.id for update of r),
    settled as (
      update workflows.runs r set state = g.state, reason = g.reason, reference = coalesce(g.reference, r.reference),
        next_ms = g."nextMs", begun = false, settled_ms = case when g.state <> 'planned' then ${nowMs}::bigint end,
        attempts = r.attempts - (case when g.outcome is null and g.state = 'planned' then 1 else 0 end)
      from given g join held on held.id = g.id where r.id = g.id and r.state = 'claimed' and r.attempts = g.attempts
      returning g.id, g.generation, g.attempts, g.outcome, g.reason)
    insert into workflows.attempts (run_id, generation, n, at_ms, outcome, reason)
    select id, generation, attempts, ${nowMs}::bigint, outcome, reason from settled where outcome is not null
    on conflict do nothing`.execute(db);
}

export interface HandedRun {
  id: RunId;
  reference: string;
}

/** Runs whose mails are in the outbox, oldest first. */
export async function listHanded(db: Database, nowMs: number, limit: number): Promise<HandedRun[]> {
  const { rows } = await sql<HandedRun>`
    select id, reference from workflows.runs where state = 'handed' and next_ms <= ${nowMs}
    order by next_ms limit ${limit}`.execute(db);
  return rows;
}

/** Stores the states of their mails. Returns the owners. */
export async function noteHanded(
  db: Database,
  ends: readonly {
    id: RunId;
    state: 'handed' | 'done' | 'skipped' | 'dead';
    reason: string | null;
    nextMs: number | null;
  }[],
): Promise<UserId[]> {
  const { rows } = await sql<{ userId: UserId; state: string }>`
    update workflows.runs r set state = g.state, reason = g.reason, next_ms = g."nextMs"
    from jsonb_to_recordset(${jsonb(ends)}) as g(id uuid, state text, reason text, "nextMs" bigint)
    where r.id = g.id and r.state = 'handed' returning r.user_id as "userId", r.state`.execute(db);
  return [...new Set(rows.flatMap(({ userId, state }) => (state === 'handed' ? [] : [userId])))];
}

/** Mails that somebody's workflows sent since then. */
export async function countMailed(
  db: Database,
  userIds: readonly UserId[],
  sinceMs: number,
): Promise<Map<UserId, number>> {
  const { rows } = await sql<{ userId: UserId; count: number }>`
    select user_id as "userId", coalesce(sum(cardinality(string_to_array(reference, ' '))), 0)::int as count from workflows.runs
    where user_id = any(${userIds}::uuid[]) and settled_ms > ${sinceMs} and kind = 'send-email'
      and state in ('handed', 'done')
    group by user_id`.execute(db);
  return new Map(rows.map(({ userId, count }) => [userId, count]));
}

/** Has what was given up begin anew; false where it was not. */
export async function reviveRun(tx: Tx, id: RunId, nowMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workflows.runs set state = 'planned', reason = null, attempts = 0, generation = generation + 1, begun = false,
      next_ms = ${nowMs}, settled_ms = null
    where id = ${id} and state = 'dead'`.execute(tx);
  return numAffectedRows === 1n;
}

export async function findWorkflowOf(db: Database, id: RunId): Promise<WorkflowId | null> {
  const { rows } = await sql<{ id: WorkflowId }>`
    select workflow_id as id from workflows.runs where id = ${id}`.execute(db);
  return rows[0]?.id ?? null;
}

export interface LoggedRun {
  id: RunId;
  stepId: StepId;
  version: number;
  kind: ActionKind;
  subject: string;
  bookingId: BookingId | null;
  occurrence: number;
  facts: OtherMatter | null;
  state: KnownRun['state'];
  reason: string | null;
  dueMs: number;
  nextMs: number | null;
  settledMs: number | null;
  createdMs: number;
  reference: string | null;
  attempts: { generation: number; n: number; atMs: number; outcome: string; reason: string | null }[];
  /** The later report of the network. */
  delivery: { status: string; errorCode: number | null } | null;
}

/** A workflow's runs, newest first, after one of them. */
export async function listLoggedRuns(
  db: Database,
  workflowId: WorkflowId,
  { state, after, limit }: { state: readonly string[] | null; after: RunId | null; limit: number },
): Promise<LoggedRun[]> {
  const { rows } = await sql<LoggedRun>`
    select r.id, r.step_id as "stepId", r.version, r.kind, r.subject, r.booking_id as "bookingId", r.occurrence, r.facts,
      r.state, r.reason, r.due_ms as "dueMs", r.next_ms as "nextMs", r.settled_ms as "settledMs",
      r.created_ms as "createdMs", r.reference,
      (select coalesce(json_agg(json_build_object('generation', a.generation, 'n', a.n, 'atMs', a.at_ms,
        'outcome', a.outcome, 'reason', a.reason) order by a.generation, a.n), '[]')
        from workflows.attempts a where a.run_id = r.id) as attempts,
      (select json_build_object('status', d.status, 'errorCode', d.error_code) from workflows.deliveries d
        where d.run_key = case r.generation when 0 then r.id::text else r.id || '.' || r.generation end
          and d.status is not null) as delivery
    from workflows.runs r
    where r.workflow_id = ${workflowId} and (${state}::text[] is null or r.state = any(${state}::text[]))
      and (${after}::uuid is null or (r.created_ms, r.id) < (
        select c.created_ms, c.id from workflows.runs c where c.id = ${after} and c.workflow_id = ${workflowId}))
    order by r.created_ms desc, r.id desc limit ${limit}`.execute(db);
  return rows;
}

/** How many of each workflow's runs wait, and how many were given up. */
export async function countRuns(
  db: Database,
  ids: readonly WorkflowId[],
): Promise<Map<WorkflowId, { planned: number; dead: number }>> {
  const { rows } = await sql<{ id: WorkflowId; planned: number; dead: number }>`
    select workflow_id as id, count(*) filter (where state in ('planned', 'claimed', 'handed'))::int as planned,
      count(*) filter (where state = 'dead')::int as dead
    from workflows.runs where workflow_id = any(${ids}::uuid[]) and state in ('planned', 'claimed', 'handed', 'dead')
    group by workflow_id`.execute(db);
  return new Map(rows.map(({ id, planned, dead }) => [id, { planned, dead }]));
}

/** Everything that somebody's workflows did or did not do, for exports. */
export async function listAllRuns(db: Database, userId: UserId): Promise<object[]> {
  const { rows } = await sql<object>`
    select w.name as workflow, r.kind, r.subject, r.state, r.reason, r.version, to_timestamp(r.due_ms / 1000.0) as "dueAt",
      to_timestamp(r.settled_ms / 1000.0) as "endedAt"
    from workflows.runs r join workflows.workflows w on w.id = r.workflow_id
    where r.user_id = ${userId} order by r.created_ms, r.id`.execute(db);
  return rows;
}

const keptMs = 90 * 86_400_000;
/** So far ahead something can be booked: until then what follows a change must not follow it again. */
const bookedAheadMs = 730 * 86_400_000;

/** The log goes back 90 days at least; what a run did is forgotten only when nothing can plan it again. */
export async function trimRuns(db: Database, nowMs: number): Promise<void> {
  await sql`
    delete from workflows.runs r where r.settled_ms < ${nowMs - keptMs} and r.next_ms is null
      and coalesce(r.about_ms, r.created_ms + ${bookedAheadMs}::bigint) < ${nowMs - keptMs}`.execute(db);
}
