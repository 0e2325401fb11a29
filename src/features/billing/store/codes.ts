import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { Redeemed } from '../rules.ts';

export interface Code {
  id: string;
  code: string;
  percent: number | null;
  amount: number | null;
  currency: string | null;
  months: number | null;
  extraDays: number | null;
  maxUses: number | null;
  uses: number;
  expiresMs: number | null;
  ended: boolean;
}

const columns = sql`c.id, c.code, c.percent, c.amount, c.currency, c.months, c.extra_days as "extraDays", c.max_uses as "maxUses",
  c.uses, c.expires_ms as "expiresMs", c.ended_at is not null as ended`;

/** Usable codes first, then by age, newest first. */
export async function listCodes(db: Database, limit: number): Promise<Code[]> {
  const { rows } = await sql<Code>`
    select ${columns} from billing.codes c order by ended, c.made_at desc, c.id limit ${limit}`.execute(db);
  return rows;
}

/** `taken`: there is such a code; `full`: there are so many already. Whoever makes one comes after who is making one. */
export async function insertCode(
  tx: Tx,
  code: Omit<Code, 'uses' | 'ended'>,
  most: number,
): Promise<'made' | 'taken' | 'full'> {
  await sql`select from pg_advisory_xact_lock(hashtext('billing.codes'))`.execute(tx);
  const { rows: full } = await sql`
    select 1 from billing.codes where ended_at is null having count(*) >= ${most}`.execute(tx);
  if (full.length > 0) return 'full';
  const { rows } = await sql`
    insert into billing.codes (id, code, percent, amount, currency, months, extra_days, max_uses, expires_ms)
    values (${code.id}, ${code.code}, ${code.percent}, ${code.amount}, ${code.currency}, ${code.months}, ${code.extraDays},
      ${code.maxUses}, ${code.expiresMs}) on conflict (code) do nothing returning id`.execute(tx);
  return rows.length > 0 ? 'made' : 'taken';
}

/** False where there is none that could still be used. */
export async function updateEnded(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    update billing.codes set ended_at = now() where id = ${id} and ended_at is null returning id`.execute(tx);
  return rows.length > 0;
}

/** Takes one use of a code; null if none is left. */
export async function takeUse(tx: Tx, code: string, nowMs: number): Promise<Code | null> {
  const { rows } = await sql<Code>`
    update billing.codes c set uses = uses + 1
    where c.code = ${code} and c.ended_at is null and (c.expires_ms is null or c.expires_ms > ${nowMs})
      and (c.max_uses is null or c.uses < c.max_uses)
    returning ${columns}`.execute(tx);
  return rows[0] ?? null;
}

/** False for somebody who has used it. */
export async function insertRedemption(tx: Tx, codeId: string, userId: UserId, nowMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into billing.redemptions (code_id, user_id, redeemed_ms) values (${codeId}, ${userId}, ${nowMs})
    on conflict do nothing returning code_id`.execute(tx);
  return rows.length > 0;
}

export async function listRedeemed(db: Database, userId: UserId): Promise<Redeemed[]> {
  const { rows } = await sql<Redeemed>`
    select c.id as "codeId", c.code, c.percent, c.amount, c.currency, c.months, r.redeemed_ms as "redeemedMs"
    from billing.redemptions r join billing.codes c on c.id = r.code_id
    where r.user_id = ${userId} order by r.redeemed_ms desc limit 100`.execute(db);
  return rows;
}
