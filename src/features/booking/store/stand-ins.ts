import { sql } from 'kysely';
import type { TeamId, UserId } from '#kernel/ids.ts';
import { type Database, isViolationOf, type Tx } from '#platform/db.ts';

/** A stand-in: a person who takes another's bookings in a team for a time. Times are epoch ms. */
export interface KeptStandIn {
  id: string;
  teamId: TeamId;
  userId: UserId;
  toUserId: UserId;
  fromMs: number;
  untilMs: number;
}

/** Lists current and future stand-ins, the first to come first. */
export async function listStandIns(db: Database, teamId: TeamId, nowMs: number): Promise<KeptStandIn[]> {
  const { rows } = await sql<KeptStandIn>`
    select id, team_id as "teamId", user_id as "userId", to_user_id as "toUserId", from_ms as "fromMs", until_ms as "untilMs"
    from booking.stand_ins where team_id = ${teamId} and until_ms > ${nowMs} order by from_ms, id`.execute(db);
  return rows;
}

/** *Errors*: the database's, where `overlapsAnother` or one of them is in the team no more (`notOfTeam`). */
export async function insertStandIn(tx: Tx, made: KeptStandIn): Promise<void> {
  await sql`
    insert into booking.stand_ins (id, team_id, user_id, to_user_id, from_ms, until_ms)
    values (${made.id}, ${made.teamId}, ${made.userId}, ${made.toUserId}, ${made.fromMs}, ${made.untilMs})`.execute(tx);
}

export const overlapsAnother = (error: unknown) => isViolationOf(error, 'stand_ins_team_id_user_id_int8range_excl');
export const notOfTeam = (error: unknown) =>
  isViolationOf(error, 'stand_ins_team_id_user_id_fkey') || isViolationOf(error, 'stand_ins_team_id_to_user_id_fkey');

export async function deleteStandIn(tx: Tx, teamId: TeamId, id: string): Promise<void> {
  await sql`delete from booking.stand_ins where team_id = ${teamId} and id = ${id}`.execute(tx);
}

/** Deletes stand-ins that ended 30 days ago. */
export async function deleteOldStandIns(db: Database, nowMs: number): Promise<void> {
  await sql`delete from booking.stand_ins where until_ms < ${nowMs - 30 * 86_400_000}`.execute(db);
}
