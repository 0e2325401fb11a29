import { type RawBuilder, sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { PersonState } from '../rules/person-state.ts';

/** A person as the operator sees them. */
export interface Person {
  id: UserId;
  email: string;
  name: string | null;
  role: 'user' | 'admin';
  state: PersonState;
  hasMfa: boolean;
  createdMs: number;
  lastActiveMs: number | null;
  suspendedMs: number | null;
}

const state = sql`case when leaving_at is not null then 'leaving' when suspended_at is not null then 'suspended'
  when email_verified_at is null then 'unverified' else 'active' end`;
const ms = (column: RawBuilder<unknown>) => sql`(extract(epoch from ${column}) * 1000)::bigint`;
const columns = sql`id, email, name, role, ${state} as state, mfa_enabled_at is not null as "hasMfa",
  ${ms(sql`created_at`)} as "createdMs", ${ms(sql`last_active_at`)} as "lastActiveMs",
  ${ms(sql`suspended_at`)} as "suspendedMs"`;

export interface PeopleWanted {
  text: string | null;
  state: PersonState | null;
}

const wantedPeople = ({ text, state: one }: PeopleWanted) => sql`
  ${text === null ? sql`true` : sql`(email || ' ' || lower(coalesce(name, ''))) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`}
  and ${one === null ? sql`true` : sql`${state} = ${one}`}`;

/** Lists people, the newest first. `after` continues to older ones, `before` back to newer ones. */
export async function listPeople(
  db: Database,
  wanted: PeopleWanted & { after: UserId | null; before: UserId | null; limit: number },
): Promise<Person[]> {
  const { after, before, limit } = wanted;
  const { rows } = await sql<Person>`
    select ${columns} from accounts.users
    where ${wantedPeople(wanted)} and ${after === null ? sql`true` : sql`id < ${after}`}
      and ${before === null ? sql`true` : sql`id > ${before}`}
    order by id ${before === null ? sql`desc` : sql`asc`} limit ${limit}`.execute(db);
  return before === null ? rows : rows.reverse();
}

/** How many there are, counted up to `most`. */
export async function countPeople(db: Database, wanted: PeopleWanted, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from accounts.users where ${wantedPeople(wanted)} limit ${most}) as found`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function findPerson(db: Database, userId: UserId): Promise<Person | null> {
  const { rows } = await sql<Person>`select ${columns} from accounts.users where id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** Returns addresses by person; deleted people are left out. */
export async function listAddresses(db: Database, userIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; email: string }>`
    select id, email from accounts.users where id = any(${userIds}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** The addresses, in lower case, that the owner of an account here has confirmed. */
export async function listConfirmed(db: Database, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select lower(email) as email from accounts.users
    where email = any(${addresses}::citext[]) and email_verified_at is not null`.execute(db);
  return rows.map(({ email }) => email);
}

/** The accounts of these addresses, by address in lower case. */
export async function listOwnersOf(db: Database, addresses: readonly string[]): Promise<Map<string, UserId>> {
  if (addresses.length === 0) return new Map();
  const { rows } = await sql<{ id: UserId; email: string }>`
    select id, lower(email) as email from accounts.users
    where email = any(${addresses}::citext[])`.execute(db);
  return new Map(rows.map(({ id, email }) => [email, id]));
}

/** Actors of the audit log that match a text. Actors are few, and the query skips from one to the next. */
export async function listActorsLike(db: Database, text: string, limit: number): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    with recursive actors(actor_id) as (
      (select actor_id from accounts.audit where actor_id is not null order by actor_id limit 1)
      union all
      select (select e.actor_id from accounts.audit e where e.actor_id > a.actor_id order by e.actor_id limit 1)
      from actors a where a.actor_id is not null)
    select id from accounts.users where id in (select actor_id from actors) and ${wantedPeople({ text, state: null })}
    limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Sessions of theirs that last. */
export async function countSessions(db: Database, userId: UserId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from accounts.sessions where user_id = ${userId} and expires_at > now()`.execute(db);
  return rows[0]?.count ?? 0;
}
