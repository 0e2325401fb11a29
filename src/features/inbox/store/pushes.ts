import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { Fact } from '../rules/notice.ts';

/** Of use for so long, to a device that is off too. */
export const usefulSeconds = 12 * 3_600;

/** News on its way to each device of its person. */
export async function insertPushes(tx: Tx, userId: UserId, notices: readonly { id: string }[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into inbox.pushes (id, device_id, notice_id, notice_at, expires_at)
    select gen_random_uuid(), d.id, n.id, n.at, now() + make_interval(secs => ${usefulSeconds})
    from inbox.devices d, inbox.notices n
    where d.user_id = ${userId} and n.user_id = ${userId}
      and n.id in (select id from jsonb_to_recordset(${jsonb(notices)}) as g(id uuid))
    on conflict do nothing returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

export interface ClaimedPush extends Pick<Fact, 'kind' | 'details'> {
  id: string;
  userId: UserId;
  noticeId: string;
  deviceId: string;
  /** Sealed. */
  subscription: string;
  host: string;
  attempts: number;
  /** It is over, was read, or is news of another day. */
  isOld: boolean;
  leftSeconds: number;
}

/** Takes one for an attempt: whoever holds its job, and once for each; one that was being sent is never sent again. */
export async function claimPush(db: Database, id: string): Promise<ClaimedPush | null> {
  const { rows } = await sql<ClaimedPush>`
    with claimed as (
      update inbox.pushes set state = 'sending', attempts = attempts + 1 where id = ${id} and state = 'queued'
      returning *)
    select c.id, d.user_id as "userId", n.id as "noticeId", d.id as "deviceId", d.subscription, d.host, c.attempts,
      n.kind, n.details, n.over_at is not null or n.read_at is not null or n.at <> c.notice_at as "isOld",
      floor(extract(epoch from c.expires_at - now()))::int as "leftSeconds"
    from claimed c join inbox.devices d on d.id = c.device_id join inbox.notices n on n.id = c.notice_id`.execute(db);
  return rows[0] ?? null;
}

/** Where an attempt ended; refusals in a row are counted at the device. */
export async function settlePush(
  db: Database,
  { id, deviceId }: Pick<ClaimedPush, 'id' | 'deviceId'>,
  end: { state: 'sent' | 'failed' | 'queued'; error: string | null; isRefusal?: boolean },
): Promise<void> {
  const { state, error, isRefusal = false } = end;
  await sql`
    with settled as (
      update inbox.pushes set state = ${state}, error = ${error} where id = ${id} and state = 'sending' returning id)
    update inbox.devices set refusals = case when ${isRefusal} then refusals + 1 else 0 end
    where id = ${deviceId} and (${isRefusal} or ${state === 'sent'} and refusals > 0)
      and exists (select from settled)`.execute(db);
}

/** A device whose push service knows it no more, or has refused this often in a row. */
export async function forgetDevice(db: Database, id: string, refusals: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from inbox.devices where id = ${id} and refusals >= ${refusals}`.execute(db);
  return numAffectedRows === 1n;
}

/** Longer than an attempt takes, and longer than any is of use. */
const stuckMinutes = 15;
const keptDays = 2;

/** Nobody knows whether what a worker died over was sent: it is not sent again. What is long over is removed. */
export async function sweepPushes(db: Database): Promise<void> {
  await sql`
    update inbox.pushes set state = 'failed', error = 'nobody knows whether it was sent'
    where state = 'sending' and created_at < now() - make_interval(mins => ${stuckMinutes})`.execute(db);
  await sql`delete from inbox.pushes where created_at < now() - make_interval(days => ${keptDays})`.execute(db);
}
