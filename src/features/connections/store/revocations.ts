import { sql } from 'kysely';
import type { Database, Tx } from '#platform/db.ts';

/** A grant to be given back, its token sealed. */
export interface Revocation {
  id: string;
  provider: string;
  profile: string;
  subject: string;
  token: string;
}

export async function insertRevocation(tx: Tx, row: Revocation): Promise<void> {
  await sql`
    insert into connections.revocations (id, provider, profile, subject, token)
    values (${row.id}, ${row.provider}, ${row.profile}, ${row.subject}, ${row.token})`.execute(tx);
}

/** `isShared`: another connection stands on the same person's consent, which a revocation would end as well. */
export async function findRevocation(db: Database, id: string): Promise<(Revocation & { isShared: boolean }) | null> {
  const { rows } = await sql<Revocation & { isShared: boolean }>`
    select r.id, r.provider, r.profile, r.subject, r.token, exists (
      select 1 from connections.connections c
      where c.provider = r.provider and c.profile = r.profile and c.subject = r.subject) as "isShared"
    from connections.revocations r where r.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export async function deleteRevocation(db: Database, id: string): Promise<void> {
  await sql`delete from connections.revocations where id = ${id}`.execute(db);
}
