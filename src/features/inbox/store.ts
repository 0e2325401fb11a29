import { sql } from 'kysely';
import type { SessionId, UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';
import type { Fact } from './rules.ts';

interface Notice extends Omit<Fact, 'subject'> {
  id: string;
  at: Temporal.Instant;
  read: boolean;
  over: boolean;
}

const mostShown = 100;

export async function listNotices(db: Database, userId: UserId): Promise<Notice[]> {
  const { rows } = await sql<Notice>`
    select id, kind, details, at, read_at is not null as read, over_at is not null as over
    from inbox.notices where user_id = ${userId} order by at desc, id limit ${mostShown}`.execute(db);
  return rows;
}

/** Unread notices that are not over. */
export async function countUnread(db: Database, userId: UserId): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from inbox.notices
    where user_id = ${userId} and read_at is null and over_at is null`.execute(db);
  return rows[0]?.unread ?? 0;
}

/** Marks these notices, or all. Returns whether anything changed. */
export async function markNotices(
  db: Database,
  userId: UserId,
  { ids, read }: { ids?: string[] | undefined; read: boolean },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update inbox.notices set read_at = case when ${read} then now() end
    where user_id = ${userId} and (read_at is null) = ${read}
      and (${ids === undefined} or id = any(${ids ?? []}::uuid[]))`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/**
 * Updates the stored notices of a person to the current facts. Returns whether anything changed, and the new notices. A
 * fact that returns within a day is the same notice and stays read.
 */
export async function updateNotices(
  tx: Tx,
  userId: UserId,
  facts: (Fact & { id: string })[],
): Promise<{ changed: boolean; news: { id: string }[] }> {
  const current = sql`jsonb_to_recordset(${JSON.stringify(facts)}::jsonb)
    as c(id uuid, kind text, subject text, details jsonb)`;
  const old = await sql`
    delete from inbox.notices where user_id = ${userId} and over_at < now() - interval '14 days'`.execute(tx);
  const over = await sql`
    update inbox.notices n set over_at = now()
    where user_id = ${userId} and over_at is null and not exists (
      select from ${current} where c.kind = n.kind and c.subject = n.subject)`.execute(tx);
  const known = await sql<{ id: string; isNews: boolean }>`
    insert into inbox.notices as n (id, user_id, kind, subject, details)
    select id, ${userId}, kind, subject, details from ${current} order by kind, subject
    on conflict (user_id, kind, subject) do update set details = excluded.details, over_at = null,
      at = case when n.over_at < now() - interval '1 day' then now() else n.at end,
      read_at = case when n.over_at < now() - interval '1 day' then null else n.read_at end
    where n.over_at is not null or n.details <> excluded.details
    returning n.id, n.at = now() as "isNews"`.execute(tx);
  const changed = known.rows.length > 0 || [old, over].some(({ numAffectedRows }) => (numAffectedRows ?? 0n) > 0n);
  return { changed, news: known.rows.filter(({ isNews }) => isNews).map(({ id }) => ({ id })) };
}

interface Device {
  id: string;
  sessionId: SessionId;
  host: string;
  userAgent: string | null;
  createdMs: number;
}

export async function listDevices(db: Database, userId: UserId): Promise<Device[]> {
  const { rows } = await sql<Device>`
    select id, session_id as "sessionId", host, user_agent as "userAgent",
      floor(extract(epoch from created_at) * 1000)::float8 as "createdMs"
    from inbox.devices where user_id = ${userId} order by created_at desc, id`.execute(db);
  return rows;
}

interface NewDevice {
  id: string;
  userId: UserId;
  sessionId: SessionId;
  /** Sealed. */
  subscription: string;
  endpointHash: Buffer;
  host: string;
  userAgent: string | null;
}

/** As this migration has it too. */
export const mostDevices = 10;

/**
 * Replaces the device of the session, and that of an earlier person in the same browser. The person's row is locked.
 * Returns false if the person has no room for another.
 */
export async function replaceDevice(tx: Tx, device: NewDevice): Promise<boolean> {
  const { id, userId, sessionId, subscription, endpointHash, host, userAgent } = device;
  await sql`delete from inbox.devices where session_id = ${sessionId} or endpoint_hash = ${endpointHash}`.execute(tx);
  const { numAffectedRows } = await sql`
    insert into inbox.devices (id, user_id, session_id, slot, subscription, endpoint_hash, host, user_agent)
    select ${id}, ${userId}, ${sessionId}, min(slot), ${subscription}, ${endpointHash}, ${host}, ${userAgent}
    from generate_series(1, ${sql.lit(mostDevices)}) slot
    where not exists (select from inbox.devices d where d.user_id = ${userId} and d.slot = slot.slot)
    having min(slot) is not null`.execute(tx);
  return numAffectedRows === 1n;
}

export async function deleteDevice(db: Database, userId: UserId, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from inbox.devices where id = ${id} and user_id = ${userId}`.execute(db);
  return numAffectedRows === 1n;
}

/** Claims people with a device who were not checked for this long, longest first. */
export async function claimAwayUsers(db: Database, seconds: number, limit: number): Promise<UserId[]> {
  const { rows } = await sql<{ userId: UserId }>`
    with due as materialized (
      select id from inbox.devices where looked_at < now() - make_interval(secs => ${seconds})
      order by looked_at limit ${limit} for update skip locked)
    update inbox.devices d set looked_at = now() from due where d.id = due.id
    returning d.user_id as "userId"`.execute(db);
  return [...new Set(rows.map(({ userId }) => userId))];
}

/** A push expires after this time, also for a device that is off. */
const usefulSeconds = 12 * 3_600;

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
  /** Whether it is over, was read, or is from another day. */
  isOld: boolean;
  leftSeconds: number;
}

export async function findOwnerOfPush(db: Database, id: string): Promise<UserId | null> {
  const { rows } = await sql<{ userId: UserId }>`
    select d.user_id as "userId" from inbox.pushes c join inbox.devices d on d.id = c.device_id
    where c.id = ${id}`.execute(db);
  return rows[0]?.userId ?? null;
}

/** Claims a queued push for one attempt. A push in the state `sending` is never claimed again. */
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
export async function finishPush(
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

/** Deletes a device that was refused at least this often in a row. */
export async function deleteRefusedDevice(db: Database, id: string, refusals: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from inbox.devices where id = ${id} and refusals >= ${refusals}`.execute(db);
  return numAffectedRows === 1n;
}

/** Longer than an attempt takes, and longer than any is of use. */
const stuckMinutes = 15;
const keptDays = 2;

/** Fails pushes whose worker died, since they may have been sent, and deletes old ones. */
export async function deleteOldPushes(db: Database): Promise<void> {
  await sql`
    update inbox.pushes set state = 'failed', error = 'nobody knows whether it was sent'
    where state = 'sending' and created_at < now() - make_interval(mins => ${stuckMinutes})`.execute(db);
  await sql`delete from inbox.pushes where created_at < now() - make_interval(days => ${keptDays})`.execute(db);
}

export interface PushKey {
  publicKey: string;
  /** Sealed where it is stored. */
  privateKey: string;
}

/** The key of this install: this one, where it has none yet. */
export async function findOrInsertKey(db: Database, candidate: PushKey): Promise<PushKey> {
  const { rows } = await sql<PushKey>`
    with made as (
      insert into inbox.push_key (public_key, private_key) values (${candidate.publicKey}, ${candidate.privateKey})
      on conflict do nothing returning public_key, private_key)
    select public_key as "publicKey", private_key as "privateKey" from made
    union all select public_key, private_key from inbox.push_key limit 1`.execute(db);
  const [found] = rows;
  // another process inserted its key after this statement began
  return found ?? findOrInsertKey(db, candidate);
}
