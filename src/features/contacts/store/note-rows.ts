import { sql } from 'kysely';
import type { ContactId, NoteId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { keptMs, mostNotes } from '../rules.ts';

export interface Note {
  id: NoteId;
  body: string;
  atMs: number;
}

/** Notes on any address of a person, newest first. */
export async function listNotes(
  db: Database,
  personIds: readonly ContactId[],
): Promise<(Note & { personId: ContactId })[]> {
  const { rows } = await sql<Note & { personId: ContactId }>`
    select n.id, n.body, n.at_ms as "atMs", c.person_id as "personId"
    from contacts.notes n join contacts.contacts c on c.id = n.contact_id
    where c.person_id = any(${personIds}::uuid[]) and n.deleted_ms is null order by n.at_ms desc, n.id desc`.execute(
    db,
  );
  return rows;
}

/** Several at once; of a contact that has as many as there may be, none. */
export async function insertNotes(tx: Tx, notes: readonly (Note & { contactId: ContactId })[]): Promise<number> {
  if (notes.length === 0) return 0;
  const { numAffectedRows } = await sql`
    insert into contacts.notes (id, contact_id, body, at_ms)
    select r.id, r.contact_id, r.body, r.at_ms
    from jsonb_to_recordset(${JSON.stringify(notes.map(({ id, contactId, body, atMs }) => ({ id, contact_id: contactId, body, at_ms: atMs })))}::jsonb)
      as r(id uuid, contact_id uuid, body text, at_ms bigint)
    where (select count(*) from contacts.notes n where n.contact_id = r.contact_id) < ${mostNotes}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** False where the person has no such note. */
export async function setNoteDeleted(
  tx: Tx,
  userId: UserId,
  personId: ContactId,
  id: NoteId,
  deletedMs: number | null,
  nowMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update contacts.notes n set deleted_ms = ${deletedMs} from contacts.contacts c
    where n.id = ${id} and c.id = n.contact_id and c.person_id = ${personId} and c.user_id = ${userId}
      and (n.deleted_ms is null) = ${deletedMs !== null}
      and (n.deleted_ms is null or n.deleted_ms > ${nowMs - keptMs})`.execute(tx);
  return numAffectedRows === 1n;
}

export interface FollowUp {
  id: string;
  subject: string;
  body: string;
  atMs: number;
}

/** The newest hundred. */
export async function listFollowUps(db: Database, personId: ContactId): Promise<FollowUp[]> {
  const { rows } = await sql<FollowUp>`
    select f.id, f.subject, f.body, f.at_ms as "atMs"
    from contacts.follow_ups f join contacts.contacts c on c.id = f.contact_id
    where c.person_id = ${personId} order by f.at_ms desc limit 100`.execute(db);
  return rows;
}

export async function countFollowUps(
  db: Database,
  userId: UserId,
  personId: ContactId,
  sinceMs: number,
): Promise<{ all: number; one: number }> {
  const { rows } = await sql<{ all: number; one: number }>`
    select count(*)::int as all, count(*) filter (where c.person_id = ${personId})::int as one
    from contacts.follow_ups f join contacts.contacts c on c.id = f.contact_id
    where f.user_id = ${userId} and f.at_ms > ${sinceMs}`.execute(db);
  return rows[0] ?? { all: 0, one: 0 };
}

export async function insertFollowUp(
  tx: Tx,
  userId: UserId,
  contactId: ContactId,
  { id, subject, body, atMs }: FollowUp,
): Promise<void> {
  await sql`
    insert into contacts.follow_ups (id, user_id, contact_id, subject, body, at_ms)
    values (${id}, ${userId}, ${contactId}, ${subject}, ${body}, ${atMs})`.execute(tx);
}

/** Two contacts that look alike and are not. */
export async function insertStrangers(tx: Tx, one: ContactId, other: ContactId): Promise<void> {
  await sql`
    insert into contacts.strangers (one_id, other_id) values (least(${one}::uuid, ${other}::uuid),
      greatest(${one}::uuid, ${other}::uuid)) on conflict do nothing`.execute(tx);
}
