import { sql } from 'kysely';
import type { TeamId, UserId, WorkflowId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { Expression } from '#platform/reading.ts';
import type { WorkflowOwner as Owner } from '../rules/action.ts';
import type { Definition, Trigger } from '../rules/definition.ts';

export interface Workflow {
  id: WorkflowId;
  userId: UserId;
  teamId: TeamId | null;
  name: string;
  tags: string[];
  active: boolean;
  version: number;
  definition: Definition;
  updatedMs: number;
}

const columns = sql`w.id, w.user_id as "userId", w.team_id as "teamId", w.name, w.tags, w.active, w.version, v.definition,
  (extract(epoch from w.updated_at) * 1000)::bigint as "updatedMs"`;
const tables = sql`workflows.workflows w join workflows.versions v on v.workflow_id = w.id and v.n = w.version`;

const ownedBy = ({ userId, teamId }: Owner) =>
  teamId === null ? sql`w.user_id = ${userId} and w.team_id is null` : sql`w.team_id = ${teamId}`;

/**
 * Planning takes this lock shared, a change of workflows takes it alone. So a change knows of every booking
 * that was planned without it, and every later booking of the change.
 */
export async function lockWorkflows(tx: Tx, { userId, teamId }: Owner, how: 'shared' | 'alone'): Promise<void> {
  const lock = sql.raw(how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await sql`select ${lock}(${lockOf(sql`${teamId ?? userId}`)})`.execute(tx);
}

const lockOf = (owner: Expression<UserId | TeamId | null>) =>
  sql`hashtextextended('workflows of ' || ${owner}::text, 0)`;

/** Takes the lock shared, for the workflows that a booking concerns: those of its team, or of its host alone. */
export async function lockWorkflowsAbout(tx: Tx, userId: UserId, team: Expression<TeamId | null>): Promise<void> {
  const lock = sql.raw('pg_advisory_xact_lock_shared');
  await sql`select ${lock}(${lockOf(sql`${userId}`)}), ${lock}(${lockOf(team)})`.execute(tx);
}

/** Active workflows for a booking: the host's own, and those of the event type's team. */
export async function listActiveWorkflows(
  db: Database,
  userId: UserId,
  team: Expression<TeamId | null>,
): Promise<Workflow[]> {
  const { rows } = await sql<Workflow>`
    select ${columns} from ${tables}
    where (w.user_id = ${userId} and w.team_id is null or w.team_id = ${team})
      and w.active and w.deleted_at is null order by w.id`.execute(db);
  return rows;
}

/** Active workflows of this person or team whose trigger is no booking. */
export async function listActiveOf(db: Database, { userId, teamId }: Owner, trigger: Trigger): Promise<Workflow[]> {
  const { rows } = await sql<Workflow>`
    select ${columns} from ${tables}
    where ${ownedBy({ userId, teamId })} and w.trigger = ${trigger} and w.active and w.deleted_at is null order by w.id`.execute(
    db,
  );
  return rows;
}

/** Everybody's own in force for these triggers, at most as many as can be looked at in one go. */
export async function listActiveByTrigger(db: Database, triggers: readonly string[]): Promise<Workflow[]> {
  const { rows } = await sql<Workflow>`
    select ${columns} from ${tables}
    where w.trigger = any(${triggers}::text[]) and w.team_id is null and w.active and w.deleted_at is null order by w.id limit 5000`.execute(
    db,
  );
  return rows;
}

/** Somebody's own and those of these teams, in the order they were made. */
export async function listWorkflowRows(db: Database, userId: UserId, teamIds: readonly TeamId[]): Promise<Workflow[]> {
  const { rows } = await sql<Workflow>`
    select ${columns} from ${tables}
    where (w.user_id = ${userId} and w.team_id is null or w.team_id = any(${teamIds}::uuid[])) and w.deleted_at is null
    order by w.created_at, w.id`.execute(db);
  return rows;
}

/** One that was deleted within the last 30 days; null where there is none. */
export async function findDeleted(db: Database, id: WorkflowId): Promise<Workflow | null> {
  const { rows } = await sql<Workflow>`
    select ${columns} from ${tables} where w.id = ${id} and w.deleted_at > now() - interval '30 days'`.execute(db);
  return rows[0] ?? null;
}

/** The existing ones of several workflows, without deleted ones. */
export async function findWorkflows(db: Database, ids: readonly WorkflowId[]): Promise<Map<WorkflowId, Workflow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Workflow>`
    select ${columns} from ${tables} where w.id = any(${ids}::uuid[]) and w.deleted_at is null`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function countWorkflows(db: Database, owner: Owner): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from workflows.workflows w where ${ownedBy(owner)} and deleted_at is null`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Somebody's own, and those of teams that are theirs. */
export async function countPaidBy(db: Database, userId: UserId, teamIds: readonly TeamId[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from workflows.workflows
    where (user_id = ${userId} and team_id is null or team_id = any(${teamIds}::uuid[])) and deleted_at is null`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

type NewWorkflow = Omit<Workflow, 'version' | 'updatedMs'>;

export async function insertWorkflow(tx: Tx, made: NewWorkflow, nowMs: number): Promise<void> {
  const { id, userId, teamId, name, tags, active, definition } = made;
  await sql`
    insert into workflows.workflows (id, user_id, team_id, name, tags, active, version, trigger)
    values (${id}, ${userId}, ${teamId}, ${name}, ${tags}::text[], ${active}, 1, ${definition.trigger})`.execute(tx);
  await insertVersion(tx, { id, n: 1, definition, authorId: userId, nowMs });
}

/** False where it is not the version that was seen. */
export async function updateWorkflow(
  tx: Tx,
  {
    id,
    seen,
    name,
    tags,
    definition,
    authorId,
    nowMs,
  }: {
    id: WorkflowId;
    seen: number;
    name: string;
    /** Null: as they are. */
    tags: readonly string[] | null;
    definition: Definition;
    authorId: UserId;
    nowMs: number;
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update workflows.workflows set name = ${name}, tags = coalesce(${tags}::text[], tags), version = version + 1, trigger = ${definition.trigger}, updated_at = now()
    where id = ${id} and version = ${seen} and deleted_at is null`.execute(tx);
  if (numAffectedRows !== 1n) return false;
  await insertVersion(tx, { id, n: seen + 1, definition, authorId, nowMs });
  await trimVersions(tx, id, seen + 1);
  return true;
}

/** As many as its page lists; an older one stays while the log has a run of it. */
const keptVersions = 50;

async function trimVersions(tx: Tx, id: WorkflowId, newest: number): Promise<void> {
  await sql`
    delete from workflows.versions v where v.workflow_id = ${id} and v.n <= ${newest - keptVersions}
      and not exists (select from workflows.runs r where r.workflow_id = v.workflow_id and r.version = v.n)`.execute(
    tx,
  );
}

async function insertVersion(
  tx: Tx,
  {
    id,
    n,
    definition,
    authorId,
    nowMs,
  }: { id: WorkflowId; n: number; definition: Definition; authorId: UserId; nowMs: number },
): Promise<void> {
  await sql`
    insert into workflows.versions (workflow_id, n, definition, author_id, created_ms)
    values (${id}, ${n}, ${jsonb(definition)}, ${authorId}, ${nowMs})`.execute(tx);
}

export async function switchWorkflowRow(tx: Tx, id: WorkflowId, active: boolean): Promise<void> {
  await sql`update workflows.workflows set active = ${active}, updated_at = now() where id = ${id}`.execute(tx);
}

export async function markDeleted(tx: Tx, id: WorkflowId): Promise<void> {
  await sql`update workflows.workflows set deleted_at = now() where id = ${id}`.execute(tx);
}

export async function unmarkDeleted(tx: Tx, id: WorkflowId): Promise<void> {
  await sql`update workflows.workflows set deleted_at = null where id = ${id}`.execute(tx);
}

/** Gives the owner of a team the workflows that somebody made there, with the runs they planned. */
export async function passOnWorkflows(
  tx: Tx,
  teamId: TeamId,
  from: UserId,
  to: Expression<UserId | null>,
): Promise<void> {
  await sql`
    with passed as (
      update workflows.workflows set user_id = owner from (select ${to} as owner) o
      where team_id = ${teamId} and user_id = ${from} and owner is not null returning id, user_id)
    update workflows.runs r set user_id = passed.user_id from passed where r.workflow_id = passed.id`.execute(tx);
}

/** The newest first. */
export async function listVersionRows(
  db: Database,
  id: WorkflowId,
): Promise<{ n: number; definition: Definition; createdMs: number }[]> {
  const { rows } = await sql<{ n: number; definition: Definition; createdMs: number }>`
    select n, definition, created_ms as "createdMs" from workflows.versions
    where workflow_id = ${id} order by n desc limit ${keptVersions}`.execute(db);
  return rows;
}

/** Deletes workflows, with their logs, that can no longer be restored. */
export async function dropForgotten(db: Database): Promise<void> {
  await sql`delete from workflows.workflows where deleted_at < now() - interval '30 days'`.execute(db);
}

/** Somebody's workflows with their versions, for exports. */
export async function listAllWorkflows(
  db: Database,
  userId: UserId,
  { after, limit }: { after: WorkflowId | null; limit: number },
): Promise<{ id: WorkflowId }[]> {
  const { rows } = await sql<{ id: WorkflowId }>`
    select w.id, w.name, w.active, w.version, to_char(w.created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt",
      (select coalesce(jsonb_agg(jsonb_build_object('n', v.n, 'definition', v.definition) order by v.n), '[]')
        from workflows.versions v where v.workflow_id = w.id) as versions
    from workflows.workflows w where w.user_id = ${userId} and w.deleted_at is null and (${after}::uuid is null or w.id > ${after})
    order by w.id limit ${limit}`.execute(db);
  return rows;
}
