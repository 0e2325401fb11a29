import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { type Expression, type Reading, reading } from '#platform/reading.ts';

export function findOwner(db: Database, userId: UserId) {
  return db
    .selectFrom('accounts.users')
    .select(['name', 'email', 'hide_email', 'zone', 'locale'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** A person as strangers may see them; null without a confirmed address, while leaving, and while suspended. */
export function presentableReading(user: UserId | Expression<UserId>): Reading<Presentable | null> {
  return reading(presentables(sql`id = ${user} and suspended_at is null`), ([row]) => row ?? null);
}

/** The same of several, in no order, those who are suspended among them. */
export function presentablesReading(users: readonly UserId[] | Expression<UserId[]>): Reading<Presentable[]> {
  return reading(presentables(sql`id = any(${users}::uuid[])`), (rows) => rows);
}

const presentables = (whom: Expression<unknown>) => sql<Presentable>`
  select id, email, hide_email as "hidesEmail", name, company, zone, locale, time_format as "timeFormat", a.file as "avatarFile",
    suspended_at is not null as suspended
  from accounts.users left join accounts.avatars a on a.user_id = id
  where ${whom} and email_verified_at is not null and leaving_at is null`;

/** Whether `presentableReading` would give them. */
export function hasPageReading(userId: UserId): Reading<boolean> {
  const query = sql<{ id: UserId }>`
    select id from accounts.users
    where id = ${userId} and email_verified_at is not null and leaving_at is null and suspended_at is null`;
  return reading(query, (rows) => rows.length > 0);
}

/** The numbers they gave, by person. */
export function phonesReading(userIds: readonly UserId[]): Reading<Map<UserId, string>> {
  const query = sql<{ id: UserId; phone: string }>`
    select id, phone from accounts.users where id = any(${userIds}::uuid[]) and phone is not null`;
  return reading(query, (rows) => new Map(rows.map(({ id, phone }) => [id, phone])));
}

export interface Presentable {
  id: UserId;
  email: string;
  hidesEmail: boolean;
  name: string | null;
  company: string | null;
  zone: string;
  locale: string;
  timeFormat: '12h' | '24h';
  avatarFile: string | null;
  suspended: boolean;
}

/** The zones people live in; one query. */
export function zonesReading(userIds: readonly UserId[]): Reading<Map<UserId, string>> {
  const query = sql<{
    id: UserId;
    zone: string;
  }>`select id, zone from accounts.users where id = any(${userIds}::uuid[])`;
  return reading(query, (rows) => new Map(rows.map(({ id, zone }) => [id, zone])));
}
