import { sql } from 'kysely';
import type { FormId, TeamId, UserId } from '#kernel/ids.ts';
import { type Database, isViolationOf, jsonb, type Tx } from '#platform/db.ts';
import type { Definition } from '../rules/form-definition.ts';
import type { FormOwner } from '../rules/form-owner.ts';

export interface Form {
  id: FormId;
  userId: UserId | null;
  teamId: TeamId | null;
  name: string;
  description: string;
  slug: string;
  active: boolean;
  revision: number;
  definition: Definition;
  changedMs: number;
}

const facts = sql`f.id, f.user_id as "userId", f.team_id as "teamId", f.name, f.description, f.slug, f.active, f.revision,
  f.changed_ms as "changedMs"`;
const columns = sql`${facts}, f.definition`;

/** A form in a list, without its definition, which may be long. */
type ListedForm = Omit<Form, 'definition'> & { type: Definition['type']; rules: number; submissions: number };

/** Forms of a person and of these teams, in the order of their creation, with the number of recent submissions. */
export async function listForms(
  db: Database,
  userId: UserId,
  teamIds: readonly TeamId[],
  sinceMs: number,
): Promise<ListedForm[]> {
  const { rows } = await sql<ListedForm>`
    select ${facts}, f.definition ->> 'type' as type, jsonb_array_length(f.definition -> 'rules') as rules, (select count(*)::int from routing.submissions s
      where s.form_id = f.id and s.created_ms >= ${sinceMs}) as submissions
    from routing.forms f
    where (f.user_id = ${userId} or f.team_id = any(${teamIds}::uuid[])) and f.deleted_ms is null
    order by f.created_ms, f.id`.execute(db);
  return rows;
}

/** A person's own forms with their definitions and the number of submissions. */
export async function listOwnForms(db: Database, userId: UserId): Promise<(Form & { submissions: number })[]> {
  const { rows } = await sql<Form & { submissions: number }>`
    select ${columns}, (select count(*)::int from routing.submissions s where s.form_id = f.id) as submissions
    from routing.forms f
    where f.user_id = ${userId} and f.deleted_ms is null order by f.created_ms, f.id`.execute(db);
  return rows;
}

export async function findForm(db: Database, id: FormId): Promise<Form | null> {
  const { rows } = await sql<Form>`
    select ${columns} from routing.forms f where f.id = ${id} and f.deleted_ms is null`.execute(db);
  return rows[0] ?? null;
}

/** At an address of its owner, under its name or a former one; null where nothing is. */
export async function findFormAt(db: Database, ownerId: UserId | TeamId, slug: string): Promise<Form | null> {
  const { rows } = await sql<Form>`
    select ${columns} from routing.forms f
    where f.owner_id = ${ownerId} and (f.slug = ${slug} or ${slug} = any(f.former_slugs)) and f.deleted_ms is null
    order by (f.slug = ${slug}) desc, f.changed_ms desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** A deleted form that can still be restored. */
export async function findDeletedForm(db: Database, id: FormId, sinceMs: number): Promise<Form | null> {
  const { rows } = await sql<Form>`
    select ${columns} from routing.forms f where f.id = ${id} and f.deleted_ms >= ${sinceMs}`.execute(db);
  return rows[0] ?? null;
}

export async function countSubmissions(db: Database, id: FormId, sinceMs: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from routing.submissions where form_id = ${id} and created_ms >= ${sinceMs}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Forms of one owner are made and named one after the other. */
export async function lockForms(tx: Tx, { userId, teamId }: FormOwner): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('forms of ' || ${userId ?? teamId}::text, 0))`.execute(tx);
}

/** Slugs that an owner's forms use. */
export async function listSlugs(db: Database, { userId, teamId }: FormOwner): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select slug from routing.forms where owner_id = ${userId ?? teamId} and deleted_ms is null`.execute(db);
  return rows.map(({ slug }) => slug);
}

export async function insertForm(tx: Tx, form: Omit<Form, 'revision' | 'changedMs'>, nowMs: number): Promise<void> {
  await sql`
    insert into routing.forms (id, user_id, team_id, name, description, slug, active, definition, created_ms, changed_ms)
    values (${form.id}, ${form.userId}, ${form.teamId}, ${form.name}, ${form.description}, ${form.slug}, ${form.active},
      ${jsonb(form.definition)}, ${nowMs}, ${nowMs})`.execute(tx);
}

/** False where it is not the revision that was seen. *Errors*: the database's, where `slugIsTaken`. */
export async function updateForm(
  tx: Tx,
  seen: number,
  form: Pick<Form, 'id' | 'name' | 'description' | 'slug' | 'definition'>,
  nowMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update routing.forms set name = ${form.name}, description = ${form.description}, slug = ${form.slug},
      former_slugs = case when slug = ${form.slug} then former_slugs
        else (array_prepend(slug, array_remove(former_slugs, ${form.slug})))[:20] end,
      definition = ${jsonb(form.definition)}, revision = revision + 1, changed_ms = ${nowMs}
    where id = ${form.id} and revision = ${seen} and deleted_ms is null`.execute(tx);
  return numAffectedRows === 1n;
}

export const slugIsTaken = (error: unknown) => isViolationOf(error, 'forms_by_slug');

export async function switchFormRow(tx: Tx, id: FormId, active: boolean, nowMs: number): Promise<void> {
  await sql`update routing.forms set active = ${active}, changed_ms = ${nowMs} where id = ${id}`.execute(tx);
}

export async function markDeleted(tx: Tx, id: FormId, nowMs: number): Promise<void> {
  await sql`update routing.forms set deleted_ms = ${nowMs} where id = ${id}`.execute(tx);
}

export async function unmarkDeleted(tx: Tx, id: FormId): Promise<void> {
  await sql`update routing.forms set deleted_ms = null where id = ${id}`.execute(tx);
}

/** All of a team, the deleted ones too: they can come back. Nobody else changes them meanwhile. */
export async function lockTeamForms(tx: Tx, teamId: TeamId): Promise<Pick<Form, 'id' | 'definition'>[]> {
  const { rows } = await sql<Pick<Form, 'id' | 'definition'>>`
    select id, definition from routing.forms where team_id = ${teamId} order by id for update`.execute(tx);
  return rows;
}

/** Replaces the definition and counts the revision up, so that open editors see the change. */
export async function rewriteForm(tx: Tx, id: FormId, definition: Definition, nowMs: number): Promise<void> {
  await sql`
    update routing.forms set definition = ${jsonb(definition)}, revision = revision + 1, changed_ms = ${nowMs}
    where id = ${id}`.execute(tx);
}

/** Deletes forms that can no longer be restored, with their submissions. */
export async function dropForgotten(db: Database, beforeMs: number): Promise<void> {
  await sql`delete from routing.forms where deleted_ms < ${beforeMs}`.execute(db);
}
