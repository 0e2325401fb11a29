import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

export interface Consent {
  phone: string;
  given: boolean;
  source: 'booking' | 'own' | 'stated' | 'message' | 'network';
  /** The booking or message that says so. */
  sourceId: string | null;
  atMs: number;
}

const columns = sql`phone, given, source, source_id as "sourceId", at_ms as "atMs"`;

/** The last answer of a number's owner. */
export async function findConsent(db: Database, userId: UserId, phone: string): Promise<Consent | null> {
  const { rows } = await sql<Consent>`
    select ${columns} from workflows.consents where user_id = ${userId} and phone = ${phone}
    order by at_ms desc, id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** The same booking or message says it once. */
export async function insertConsent(db: Database, userId: UserId, consent: Consent): Promise<void> {
  const { phone, given, source, sourceId, atMs } = consent;
  await sql`
    insert into workflows.consents (user_id, phone, given, source, source_id, at_ms)
    values (${userId}, ${phone}, ${given}, ${source}, ${sourceId}, ${atMs}) on conflict do nothing`.execute(db);
}

/** The last word of each number, newest first. */
export async function listConsents(db: Database, userId: UserId, limit: number): Promise<Consent[]> {
  const { rows } = await sql<Consent>`
    select * from (select distinct on (phone) ${columns} from workflows.consents where user_id = ${userId}
      order by phone, at_ms desc, id desc) last
    order by "atMs" desc, phone limit ${limit}`.execute(db);
  return rows;
}

/** Everything that was ever said, oldest first. */
export async function listConsentHistory(db: Database, userId: UserId): Promise<Consent[]> {
  const { rows } = await sql<Consent>`
    select ${columns} from workflows.consents where user_id = ${userId} order by id`.execute(db);
  return rows;
}
