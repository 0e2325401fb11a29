import { sql } from 'kysely';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type Reading, reading } from '#platform/reading.ts';

export interface Transfer {
  userId: UserId;
  askedMs: number;
}

const columns = sql`user_id as "userId", (extract(epoch from asked_at) * 1000)::bigint as "askedMs"`;

export function transferReading(teamId: TeamId): Reading<Transfer | null> {
  const query = sql<Transfer>`select ${columns} from teams.transfers where team_id = ${teamId}`;
  return reading(query, ([row]) => row ?? null);
}

/** A new offer replaces the previous one. */
export async function saveTransfer(tx: Tx, teamId: TeamId, userId: UserId): Promise<void> {
  await sql`
    insert into teams.transfers (team_id, user_id) values (${teamId}, ${userId})
    on conflict (team_id) do update set user_id = excluded.user_id, asked_at = now()`.execute(tx);
}

/** Whom it asked; null where nobody was. */
export async function deleteTransfer(tx: Tx, teamId: TeamId): Promise<UserId | null> {
  const { rows } = await sql<{ userId: UserId }>`
    delete from teams.transfers where team_id = ${teamId} returning user_id as "userId"`.execute(tx);
  return rows[0]?.userId ?? null;
}

export async function findTransfer(db: Database, teamId: TeamId): Promise<UserId | null> {
  const { rows } = await sql<{ userId: UserId }>`
    select user_id as "userId" from teams.transfers where team_id = ${teamId}`.execute(db);
  return rows[0]?.userId ?? null;
}
