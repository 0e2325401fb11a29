import { sql } from 'kysely';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** A request under an Idempotency-Key, and what it was answered with. */
export interface KeyedRequest {
  eventTypeId: EventTypeId;
  keyHash: Buffer;
  bodyHash: Buffer;
}

export interface KeptAnswer {
  id: string;
  bodyHash: Buffer;
  /** Sealed. */
  answer: string;
}

export async function findAnswer(db: Database, request: KeyedRequest): Promise<KeptAnswer | null> {
  const { rows } = await sql<KeptAnswer>`
    select id, body_hash as "bodyHash", answer from booking.answers
    where event_type_id = ${request.eventTypeId} and key_hash = ${request.keyHash} and answer is not null`.execute(db);
  return rows[0] ?? null;
}

/** Claims a key; false where it has been answered. Waits for whoever claims it at the same time. */
export async function claimKey(tx: Tx, id: string, request: KeyedRequest, nowMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into booking.answers (id, event_type_id, key_hash, body_hash, created_ms)
    values (${id}, ${request.eventTypeId}, ${request.keyHash}, ${request.bodyHash}, ${nowMs})
    on conflict (event_type_id, key_hash) do nothing returning id`.execute(tx);
  return rows.length > 0;
}

export async function keepAnswer(tx: Tx, id: string, answer: string): Promise<void> {
  await sql`update booking.answers set answer = ${answer} where id = ${id}`.execute(tx);
}

export async function trimAnswers(db: Database, beforeMs: number): Promise<void> {
  await sql`delete from booking.answers where created_ms < ${beforeMs}`.execute(db);
}
