import { sql } from 'kysely';
import type { SessionId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { challengeMinutes, mostAttempts } from '../rules/second-factor.ts';

export type Purpose = 'mfa-verify' | 'mfa-enroll';

export interface NewChallenge {
  id: string;
  tokenHash: Buffer;
  userId: UserId;
  purpose: Purpose;
  sessionId: SessionId | null;
  method: string;
  door: 'user' | 'admin';
}

export interface Challenge {
  id: string;
  userId: UserId;
  sessionId: SessionId | null;
  method: string;
  door: 'user' | 'admin';
  /** Sealed; the key being set up. */
  secret: string | null;
}

export async function insertChallenge(db: Database, challenge: NewChallenge): Promise<void> {
  await db
    .insertInto('access.challenges')
    .values({
      id: challenge.id,
      token_hash: challenge.tokenHash,
      user_id: challenge.userId,
      purpose: challenge.purpose,
      session_id: challenge.sessionId,
      method: challenge.method,
      door: challenge.door,
      // The database's clock decides: processes need not agree on the time.
      expires_at: sql<Temporal.Instant>`now() + make_interval(mins => ${challengeMinutes})`,
    })
    .execute();
}

const columns = sql`id, user_id as "userId", session_id as "sessionId", method, door, secret`;
const isOpen = sql`expires_at > now() and attempts < ${mostAttempts}`;

export async function findChallenge(db: Database, tokenHash: Buffer, purpose: Purpose): Promise<Challenge | null> {
  const { rows } = await sql<Challenge>`
    select ${columns} from access.challenges
    where token_hash = ${tokenHash} and purpose = ${purpose} and ${isOpen}`.execute(db);
  return rows[0] ?? null;
}

/** Takes one of its attempts; false when there is none left. Side by side each takes its own. */
export async function countAttempt(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`
    update access.challenges set attempts = attempts + 1 where id = ${id} and ${isOpen} returning id`.execute(db);
  return rows.length > 0;
}

/** Keeps the key that is being set up; the first one stays, so that a page that loads twice shows one. Gives what stays. */
export async function keepPendingSecret(db: Database, id: string, sealed: string): Promise<string | null> {
  const { rows } = await sql<{ secret: string }>`
    update access.challenges set secret = coalesce(secret, ${sealed}) where id = ${id} returning secret`.execute(db);
  return rows[0]?.secret ?? null;
}

/** False where somebody else has ended it first. */
export async function deleteChallenge(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('access.challenges').where('id', '=', id).executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Ends sign-ins that wait for a second factor: they start again. */
export async function deleteChallengesOf(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('access.challenges').where('user_id', '=', userId).execute();
}

export async function deleteExpiredChallenges(db: Database): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('access.challenges')
    .where('expires_at', '<', sql<Temporal.Instant>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
