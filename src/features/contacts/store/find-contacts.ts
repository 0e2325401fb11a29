import { type RawBuilder, sql } from 'kysely';
import type { ContactId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { ContactSource, contactOrders, meetingAges } from '../rules.ts';
import { type Contact, contactColumns, isShown } from './contact-rows.ts';

/** Which contacts, and from where on. */
export interface ContactFilter {
  /** Folded; each begins a word. Empty: any. */
  words: readonly string[];
  tag: string | null;
  source: ContactSource | null;
  met: (typeof meetingAges)[number] | null;
  nowMs: number;
}

export type ContactOrder = (typeof contactOrders)[number];

/** The last row of the page before: what it was sorted by, and its id. */
export interface Cursor {
  value: string | number;
  id: ContactId;
}

const dayMs = 86_400_000;

/** The condition on a contact `c`. Any of a person's addresses matches. */
function matching(userId: UserId, { words, tag, source, met, nowMs }: ContactFilter): RawBuilder<unknown> {
  const conditions = [sql`c.user_id = ${userId} and ${isShown}`];
  if (words.length > 0) {
    const hasWords = words.map((word) => sql`w.text like ${`% ${word}%`}`);
    conditions.push(sql`c.id in (
      select w.person_id from contacts.contacts w where w.user_id = ${userId} and ${sql.join(hasWords, sql` and `)})`);
  }
  if (tag !== null) conditions.push(sql`exists (select from unnest(c.tags) t where lower(t) = ${tag.toLowerCase()})`);
  if (source !== null) conditions.push(sql`c.source = ${source}`);
  switch (met) {
    case '30-days':
      conditions.push(sql`c.last_ms > ${nowMs - 30 * dayMs}`);
      break;
    case '90-days':
      conditions.push(sql`c.last_ms > ${nowMs - 90 * dayMs}`);
      break;
    case 'longer':
      conditions.push(sql`c.last_ms <= ${nowMs - 90 * dayMs}`);
      break;
    case 'never':
      conditions.push(sql`c.last_ms is null`);
      break;
    case 'ahead':
      conditions.push(sql`c.next_ms is not null`);
      break;
    case null:
      break;
  }
  return sql.join(conditions, sql` and `);
}

/** Contacts whose tags are looked at. */
const mostTagged = 5_000;

const sortKeys = {
  last: { key: sql`coalesce(c.last_ms, 0)`, cast: sql`bigint`, descending: true },
  total: { key: sql`c.bookings`, cast: sql`integer`, descending: true },
  name: { key: sql`lower(coalesce(c.name, c.address)) collate "C"`, cast: sql`text`, descending: false },
};

export async function findContacts(
  db: Database,
  userId: UserId,
  filter: ContactFilter,
  { order, after, limit }: { order: ContactOrder; after: Cursor | null; limit: number },
): Promise<(Contact & { sortedBy: string | number })[]> {
  const { key, cast, descending } = sortKeys[order];
  const beyond = descending ? sql`<` : sql`>`;
  const from = after === null ? sql`true` : sql`(${key}, c.id) ${beyond} (${after.value}::${cast}, ${after.id}::uuid)`;
  const direction = descending ? sql`desc` : sql`asc`;
  const { rows } = await sql<Contact & { sortedBy: string | number }>`
    select ${contactColumns}, ${key} as "sortedBy" from contacts.contacts c
    where ${matching(userId, filter)} and ${from}
    order by ${key} ${direction}, c.id ${direction} limit ${limit}`.execute(db);
  return rows;
}

export async function countContacts(
  db: Database,
  userId: UserId,
  filter: ContactFilter,
): Promise<{ matching: number; total: number }> {
  const { rows } = await sql<{ matching: number; total: number }>`
    select (select count(*)::int from contacts.contacts c where ${matching(userId, filter)}) as matching,
      (select count(*)::int from contacts.contacts c where c.user_id = ${userId} and ${isShown}) as total`.execute(db);
  return rows[0] ?? { matching: 0, total: 0 };
}

/** Tags of the newest contacts that have any, those of most contacts first. */
export async function listTags(db: Database, userId: UserId): Promise<{ tag: string; contacts: number }[]> {
  const { rows } = await sql<{ tag: string; contacts: number }>`
    select min(t) as tag, count(*)::int as contacts
    from (select c.tags from contacts.contacts c where c.user_id = ${userId} and ${isShown} and c.tags <> '{}'
      order by c.created_ms desc, c.id limit ${mostTagged}) n cross join lateral unnest(n.tags) t
    group by lower(t) order by 2 desc, 1 limit 200`.execute(db);
  return rows;
}

export interface Pair {
  why: 'address' | 'name';
  keepId: ContactId;
  keepName: string | null;
  keepAddress: string;
  otherId: ContactId;
  otherName: string | null;
  otherAddress: string;
}

/**
 * People who may be the same: variants of one address, or one name. The kept contact is the one met more often. Further
 * criteria are a future meeting, a name, and the earlier contact, in this order. Among many with one name or address,
 * the first ones by that order are compared. The search ends at `limit` pairs, so that its cost is that of its answer.
 */
export async function findPairs(db: Database, userId: UserId, limit: number): Promise<Pair[]> {
  const pairs = (why: string, key: RawBuilder<unknown>) => sql`
    select ${why}::text as why, pair.* from (
      select ${key} as key from contacts.contacts c
      where c.user_id = ${userId} and ${isShown} and ${key} is not null group by 1 having count(*) > 1 order by 1) as alike
    cross join lateral (
      with compared as (
        select c.id, c.name, c.address, row_number() over (order by c.met desc, (c.next_ms is not null) desc,
          (c.name is not null) desc, c.created_ms, c.id desc) as rank
        from contacts.contacts c where c.user_id = ${userId} and ${isShown} and ${key} = alike.key
        order by rank limit ${mostCompared})
      select c.id as "keepId", c.name as "keepName", c.address as "keepAddress", o.id as "otherId", o.name as "otherName",
        o.address as "otherAddress"
      from compared c join compared o on c.rank < o.rank
      where not exists (select from contacts.strangers s
        where s.one_id = least(c.id, o.id) and s.other_id = greatest(c.id, o.id))
      order by c.rank, o.rank limit ${limit}) as pair
    limit ${limit}`;
  const { rows } = await sql<Pair>`
    select distinct on (least(p."keepId", p."otherId"), greatest(p."keepId", p."otherId")) p.* from (
      (${pairs('address', sql`c.address_key`)})
      union all
      (${pairs('name', sql`c.name_key`)})) p
    order by least(p."keepId", p."otherId"), greatest(p."keepId", p."otherId"), p.why limit ${limit}`.execute(db);
  return rows;
}

/** Contacts of one name or address that are compared with each other. */
const mostCompared = 40;

export interface FoundContact {
  id: ContactId;
  name: string | null;
  address: string;
  company: string | null;
}

/** Contacts that match, best first; where none does, those that sound alike. */
export async function findAlike(
  db: Database,
  userId: UserId,
  { whole, words }: { whole: string; words: readonly string[] },
  limit: number,
): Promise<FoundContact[]> {
  const list = async (where: RawBuilder<unknown>, rank: RawBuilder<unknown>) => {
    const { rows } = await sql<FoundContact>`
      select c.id, c.name, c.address, c.company from contacts.contacts c where c.id in (
          select w.person_id from contacts.contacts w where w.user_id = ${userId} and ${where} limit 500)
        and ${isShown}
      order by ${rank}, coalesce(c.last_ms, 0) desc, c.id limit ${limit}`.execute(db);
    return rows;
  };
  const hasWords = sql.join(
    words.map((word) => sql`w.text like ${`% ${word}%`}`),
    sql` and `,
  );
  const found = await list(hasWords, sql`(c.text not like ${` ${whole}%`})`);
  // with fewer signs everything sounds alike
  if (found.length > 0 || whole.length < 4) return found;
  return await list(sql`${whole} <% w.text`, sql`-word_similarity(${whole}, c.text)`);
}

/** Contacts with words that begin with all of these: met in the last 90 days or ahead, then by meetings, then by name. */
export async function suggestContacts(
  db: Database,
  userId: UserId,
  { words, nowMs }: { words: readonly string[]; nowMs: number },
  limit: number,
): Promise<{ name: string | null; address: string }[]> {
  const hasWords = words.map((word) => sql`w.text like ${`% ${word}%`}`);
  const { rows } = await sql<{ name: string | null; address: string }>`
    select c.name, c.address from contacts.contacts c where c.id in (
        select w.person_id from contacts.contacts w where w.user_id = ${userId} and ${sql.join(hasWords, sql` and `)})
      and ${isShown}
    order by (c.next_ms is not null or coalesce(c.last_ms, 0) > ${nowMs - 90 * dayMs}) desc, c.met desc,
      lower(coalesce(c.name, c.address)) collate "C", c.id limit ${limit}`.execute(db);
  return rows;
}
