import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type Reading, readAlone, reading } from '#platform/reading.ts';
import type { HoldRule, MadeHold } from '../rules/hold-rules.ts';

/** All that makes events of a person holds, those that were made as one too; one query. */
export function holdRulesReading(userId: UserId): Reading<(HoldRule | MadeHold)[]> {
  const query = sql<HoldRule | MadeHold>`
    select kind, value, rank from availability.hold_rules where user_id = ${userId}
    union all select 'item', item_id::text, rank from availability.holds where user_id = ${userId}`;
  return reading(query, (rows) => rows);
}

export const listHoldRules = (db: Database, userId: UserId) => readAlone(db, holdRulesReading(userId));

/** The rules that a person has set; one query. */
export async function listSetRules(db: Database, userId: UserId): Promise<(HoldRule & { id: string })[]> {
  const { rows } = await sql<HoldRule & { id: string }>`
    select id, kind, value, rank from availability.hold_rules
    where user_id = ${userId} order by rank, kind, value`.execute(db);
  return rows;
}

/** One that is there already gets the rank. */
export async function upsertHoldRule(tx: Tx, userId: UserId, rule: HoldRule & { id: string }): Promise<void> {
  await sql`
    insert into availability.hold_rules (id, user_id, kind, value, rank)
    values (${rule.id}, ${userId}, ${rule.kind}, ${rule.value}, ${rule.rank})
    on conflict (user_id, kind, value) do update set rank = excluded.rank`.execute(tx);
}
