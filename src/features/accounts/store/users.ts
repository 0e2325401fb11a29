import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Actor, UserRole } from '#platform/actor.ts';
import { type Database, isViolationOf, jsonb, type Tx } from '#platform/db.ts';

export interface NewUser {
  id: UserId;
  email: string;
  role: UserRole;
  zone: string | undefined;
  locale: string;
  time_format: '12h' | '24h';
  date_format: string;
  week_start: number;
}

/** False when the address is taken. */
export async function insertUser(tx: Tx, { zone, ...user }: NewUser): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('accounts.users')
    .values({ ...user, ...(zone === undefined ? {} : { zone }) })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Confirms the address of an account that nobody has confirmed. Its time zone and formats are replaced. */
export async function restartUser(
  tx: Tx,
  { email, zone, ...reading }: Omit<NewUser, 'id' | 'role'>,
): Promise<UserId | null> {
  const now = sql<Temporal.Instant>`now()`;
  const row = await tx
    .updateTable('accounts.users')
    .set({ ...reading, zone: zone ?? sql<string>`default`, email_verified_at: now, updated_at: now })
    .where('email', '=', email)
    .where('email_verified_at', 'is', null)
    .where('leaving_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Whether no account exists yet. A lock keeps the answer valid until the transaction ends. */
export async function claimFirst(tx: Tx): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext('accounts.first-user'))`.execute(tx);
  const any = await tx.selectFrom('accounts.users').select('id').limit(1).executeTakeFirst();
  return any === undefined;
}

const known = ['id', 'email', 'name', 'company', 'role', 'mfa_enabled_at'] as const;
/** Columns that a mail to a person needs. */
const howTheyRead = ['zone', 'locale', 'time_format'] as const;

const usersByEmail = (db: Database, email: string) =>
  db
    .selectFrom('accounts.users')
    .select([...known, 'email_verified_at', 'created_at'])
    .where('email', '=', email);

/** Nothing is done any more for somebody who is leaving. */
export function findUserByEmail(db: Database, email: string) {
  return usersByEmail(db, email).where('leaving_at', 'is', null).executeTakeFirst();
}

/** The person with this address, even during deletion. For a sign-in, which tells only them. */
export function findUserOrLeaver(db: Database, email: string) {
  return usersByEmail(db, email).executeTakeFirst();
}

/** As they are, and stay until the transaction ends; null when there is nobody. */
export async function lockUser(tx: Tx, userId: UserId) {
  const user = await tx
    .selectFrom('accounts.users')
    .select([...known, 'email_verified_at', 'leaving_at', 'suspended_at', ...howTheyRead])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return user ?? null;
}

/** Since when somebody has a second factor; null while they have none. */
export async function getMfaSince(db: Database, actor: Actor): Promise<Temporal.Instant | null> {
  const row = await db
    .selectFrom('accounts.users')
    .select('mfa_enabled_at')
    .where('id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  return row.mfa_enabled_at;
}

/** From when on every door asks for a second factor, or that none does. */
export async function setMfa(tx: Tx, userId: UserId, enabled: boolean): Promise<void> {
  const now = sql<Temporal.Instant>`now()`;
  await tx
    .updateTable('accounts.users')
    .set({ mfa_enabled_at: enabled ? now : null, updated_at: now })
    .where('id', '=', userId)
    .execute();
}

/** Finds a person by id, for work without a session of theirs. */
export function findUser(db: Database, userId: UserId) {
  return db
    .selectFrom('accounts.users')
    .select([...known, 'email_verified_at', 'created_at', ...howTheyRead])
    .where('id', '=', userId)
    .executeTakeFirst();
}

export async function setRole(tx: Tx, userId: UserId, role: UserRole): Promise<void> {
  await tx
    .updateTable('accounts.users')
    .set({ role, updated_at: sql<Temporal.Instant>`now()` })
    .where('id', '=', userId)
    .execute();
}

/** For the operator's eyes. */
export function listAdministrators(db: Database) {
  return db
    .selectFrom('accounts.users')
    .select(['email', 'mfa_enabled_at', 'email_verified_at'])
    .where('role', '=', 'admin')
    .orderBy('email')
    .execute();
}

export async function listAdministratorIds(db: Database): Promise<UserId[]> {
  const rows = await db
    .selectFrom('accounts.users')
    .select('id')
    .where('role', '=', 'admin')
    .where('leaving_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

export async function hasAdministrator(db: Database): Promise<boolean> {
  const one = await db
    .selectFrom('accounts.users')
    .select('id')
    .where('role', '=', 'admin')
    .limit(1)
    .executeTakeFirst();
  return one !== undefined;
}

/** The address of an account that its owner has confirmed. */
export async function findConfirmedAddress(db: Database, userId: UserId): Promise<string | null> {
  const row = await db
    .selectFrom('accounts.users')
    .select('email')
    .where('id', '=', userId)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst();
  return row?.email ?? null;
}

/** The person has shown that they read this address; false where it is not the account's (any more). */
export async function confirmAddress(tx: Tx, userId: UserId, email: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts.users')
    .set({ email_verified_at: sql<Temporal.Instant>`coalesce(email_verified_at, now())` })
    .where('id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Deletes the account of an address that nobody has confirmed, for an account that has proved the address. Nobody has been
 * signed in there. An administrator's stays, because it may be the only one.
 */
export async function deleteUnconfirmed(tx: Tx, email: string): Promise<void> {
  await tx
    .deleteFrom('accounts.users')
    .where('email', '=', email)
    .where('email_verified_at', 'is', null)
    .where('role', '=', 'user')
    .execute();
}

/** Another address, which they have proved. *Errors*: the database's, where `addressIsTaken`. */
export async function replaceAddress(tx: Tx, userId: UserId, email: string): Promise<void> {
  await tx
    .updateTable('accounts.users')
    .set({ email, email_verified_at: sql<Temporal.Instant>`now()`, updated_at: sql<Temporal.Instant>`now()` })
    .where('id', '=', userId)
    .execute();
}

/** Whether this is the refusal of an address that another account has. */
export const addressIsTaken = (error: unknown) => isViolationOf(error, 'users_email_key');

export function getUser(db: Database, actor: Actor) {
  return db
    .selectFrom('accounts.users')
    .leftJoin('accounts.avatars', 'accounts.avatars.user_id', 'accounts.users.id')
    .select([
      ...known,
      ...howTheyRead,
      'phone',
      'accounts.avatars.file as avatar_file',
      'date_format',
      'week_start',
      'weekends',
      'week_numbers',
      'more_zones',
      'theme',
      'density',
      'hide_email',
      'notifications',
    ])
    .where('id', '=', actor.userId)
    .executeTakeFirstOrThrow();
}

export interface UserChanges {
  name?: string | null | undefined;
  company?: string | null | undefined;
  phone?: string | null | undefined;
  zone?: string | undefined;
  locale?: string | undefined;
  time_format?: '12h' | '24h' | undefined;
  date_format?: string | undefined;
  week_start?: number | undefined;
  weekends?: boolean | undefined;
  week_numbers?: boolean | undefined;
  more_zones?: string[] | undefined;
  theme?: 'system' | 'light' | 'dark' | undefined;
  density?: 'comfortable' | 'compact' | undefined;
  hide_email?: boolean | undefined;
}

/** Keys that are undefined stay as they are; `notifications` is merged into what is there. */
export async function updateUser(
  db: Database,
  actor: Actor,
  changes: UserChanges,
  notifications?: Record<string, boolean | undefined>,
): Promise<void> {
  await db
    .updateTable('accounts.users')
    .set({
      ...changes,
      ...(notifications ? { notifications: sql`notifications || ${jsonb(notifications)}` } : {}),
      updated_at: sql<Temporal.Instant>`now()`,
    })
    .where('id', '=', actor.userId)
    .execute();
}

/** Whether nobody but them administers this install, which others use too. The answer holds until the transaction ends. */
export async function isOnlyAdmin(tx: Tx, userId: UserId): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext('accounts.administrators'))`.execute(tx);
  const { rows } = await sql<{ answer: boolean }>`
    select role = 'admin'
      and exists (select from accounts.users o where o.id <> u.id and o.leaving_at is null)
      and not exists (select from accounts.users o
        where o.id <> u.id and o.leaving_at is null and o.suspended_at is null and o.role = 'admin')
      as answer
    from accounts.users u where id = ${userId}`.execute(tx);
  return rows[0]?.answer ?? false;
}

/** True where it was otherwise. */
export async function setSuspended(tx: Tx, userId: UserId, suspended: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts.users')
    .set({ suspended_at: suspended ? sql<Temporal.Instant>`now()` : null })
    .where('id', '=', userId)
    .where('leaving_at', 'is', null)
    .where('suspended_at', suspended ? 'is' : 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function isSuspended(db: Database, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('accounts.users')
    .select('id')
    .where('id', '=', userId)
    .where('suspended_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** People among these who currently want mails of this kind, at a confirmed address. */
export function listReaders(
  db: Database,
  userIds: UserId[],
  wish: 'syncErrors' | 'bookingReminders' | 'productUpdates',
) {
  return db
    .selectFrom('accounts.users')
    .select(['id', 'email', ...howTheyRead])
    .where(sql<boolean>`id = any(${userIds}::uuid[])`)
    .where('leaving_at', 'is', null)
    .where('suspended_at', 'is', null)
    .where('email_verified_at', 'is not', null)
    .where(sql<boolean>`(notifications ->> ${wish})::boolean`)
    .execute();
}

/** Accounts at proved addresses that want product updates, by address, after the one that was listed last. */
export async function listUpdateReaders(
  db: Database,
  after: string,
  limit: number,
): Promise<{ email: string; confirmedAt: string }[]> {
  const rows = await db
    .selectFrom('accounts.users')
    .select(['email', 'email_verified_at'])
    .where('email', '>', after)
    .where('leaving_at', 'is', null)
    .where('suspended_at', 'is', null)
    .where('email_verified_at', 'is not', null)
    .where(sql<boolean>`(notifications ->> 'productUpdates')::boolean`)
    .orderBy('email')
    .limit(limit)
    .execute();
  return rows.map(({ email, email_verified_at: at }) => ({ email, confirmedAt: String(at) }));
}

/** Whether anybody has, or had, an account here that was not removed. */
export async function hasUsers(db: Database): Promise<boolean> {
  return (await sql`select from accounts.users limit 1`.execute(db)).rows.length > 0;
}
