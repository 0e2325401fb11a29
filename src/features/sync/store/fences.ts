import { sql } from 'kysely';
import type { ConnectionId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

/** Takes the next token for an account: every older holder's outcomes are refused from now on. */
export async function takeFence(
  db: Database,
  connectionId: ConnectionId,
): Promise<{ token: number; notBeforeMs: number; failures: number }> {
  const { rows } = await sql<{ token: number; notBeforeMs: number; failures: number }>`
    insert into sync.fences (connection_id, token) values (${connectionId}, 1)
    on conflict (connection_id) do update set token = sync.fences.token + 1
    returning token, (extract(epoch from not_before) * 1000)::bigint as "notBeforeMs", failures`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('no fence row was returned');
  return row;
}

/** True while this token is the newest; holds it so until the transaction ends. */
export async function holdsFence(tx: Tx, connectionId: ConnectionId, token: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sync.fences where connection_id = ${connectionId} and token = ${token} for share`.execute(tx);
  return rows.length > 0;
}

/** The account answered again. */
export async function clearAccountPause(db: Database, connectionId: ConnectionId): Promise<void> {
  await sql`
    update sync.fences set failures = 0, not_before = 'epoch'
    where connection_id = ${connectionId} and (failures > 0 or not_before > 'epoch')`.execute(db);
}

/** Nothing is written to this account before then; one that is only paced has not failed. */
export async function pauseAccount(
  db: Database,
  connectionId: ConnectionId,
  notBeforeMs: number,
  why: 'failed' | 'paced',
): Promise<void> {
  await sql`
    update sync.fences set failures = failures + ${why === 'failed' ? 1 : 0}, not_before = to_timestamp(${notBeforeMs / 1000})
    where connection_id = ${connectionId}`.execute(db);
}

/** An old state was put back: no token of a writer of before, which may have taken more than it knows of, counts again. */
export async function outdateFences(tx: Tx): Promise<void> {
  await sql`update sync.fences set token = token + 1000000, failures = 0, not_before = 'epoch'`.execute(tx);
}

/** Revokes the fencing tokens of these accounts. No new token is issued until the pause is cleared. */
export async function restFences(tx: Tx, connectionIds: readonly ConnectionId[]): Promise<void> {
  await sql`
    insert into sync.fences (connection_id, token, not_before)
    select id, 1, now() + interval '100 years' from unnest(${connectionIds}::uuid[]) as id order by id
    on conflict (connection_id) do update set token = sync.fences.token + 1, not_before = excluded.not_before`.execute(
    tx,
  );
}
