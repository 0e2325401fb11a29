import { sql } from 'kysely';
import type { CredentialId, UserId } from '#kernel/ids.ts';
import { type Database, jsonb } from '#platform/db.ts';
import type { CredentialKind, CredentialSettings } from '../../rules/credential.ts';

/** An account at a service, its secret still sealed. */
export interface CredentialRow {
  id: CredentialId;
  userId: UserId;
  kind: CredentialKind;
  label: string;
  settings: CredentialSettings;
  secret: string;
  simulated: boolean;
  refused: string | null;
  createdMs: number;
}

const columns = sql`id, user_id as "userId", kind, label, settings, secret, simulated, refused, created_ms as "createdMs"`;

/** The most credentials of a person: one screen shows all. */
export const mostCredentials = 50;

export async function listCredentialRows(db: Database, userId: UserId): Promise<CredentialRow[]> {
  const { rows } = await sql<CredentialRow>`
    select ${columns} from workflows.credentials where user_id = ${userId} order by id`.execute(db);
  return rows;
}

export async function findCredentialRow(db: Database, userId: UserId, id: string): Promise<CredentialRow | null> {
  const { rows } = await sql<CredentialRow>`
    select ${columns} from workflows.credentials where id = ${id} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** For services that call us: they name it, and prove that they know its secret. */
export async function findCalledCredential(db: Database, id: string): Promise<CredentialRow | null> {
  const { rows } = await sql<CredentialRow>`
    select ${columns} from workflows.credentials where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** False where this person has as many as one may have; two at a time may make it one more. */
export async function insertCredential(db: Database, row: CredentialRow): Promise<boolean> {
  const { rows } = await sql`
    insert into workflows.credentials (id, user_id, kind, label, settings, secret, simulated, refused, created_ms)
    select ${row.id}, ${row.userId}, ${row.kind}, ${row.label}, ${jsonb(row.settings)}, ${row.secret}, ${row.simulated},
      ${row.refused}, ${row.createdMs}
    where (select count(*) from workflows.credentials where user_id = ${row.userId}) < ${mostCredentials}
    returning id`.execute(db);
  return rows.length > 0;
}

/** Stores the last refusal of the credential; null: the service accepts it. Returns true if that is new. */
export async function updateRefused(db: Database, id: CredentialId, refused: string | null): Promise<boolean> {
  const { rows } = await sql`
    update workflows.credentials set refused = ${refused}
    where id = ${id} and refused is distinct from ${refused} returning id`.execute(db);
  return rows.length > 0;
}

export async function deleteCredential(db: Database, userId: UserId, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from workflows.credentials where id = ${id} and user_id = ${userId} returning id`.execute(db);
  return rows.length > 0;
}
