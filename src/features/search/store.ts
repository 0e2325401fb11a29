import { type RawBuilder, sql } from 'kysely';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { Wanted } from './rules.ts';

interface DocumentRow {
  itemId: ItemId;
  version: string;
  text: string;
  people: { email: string; name: string | null; text: string }[];
  startsMs: number | null;
  endsMs: number | null;
}

/** Items whose version the index has not read. */
export async function listStaleItems(db: Database, items: { id: ItemId; version: string }[]): Promise<ItemId[]> {
  const { rows } = await sql<{ id: ItemId }>`
    select i.id from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ version }) => version)}::text[])
      as i(id, version)
    left join search.documents d on d.item_id = i.id
    where d.version is distinct from i.version`.execute(db);
  return rows.map(({ id }) => id);
}

/** Replaces the index entries of these items. */
export async function replaceDocuments(tx: Tx, userId: UserId, documents: DocumentRow[]): Promise<void> {
  await sql`
    insert into search.documents (item_id, user_id, version, text, meeting, starts_ms, ends_ms)
    select unnest(${documents.map((one) => one.itemId)}::uuid[]), ${userId},
      unnest(${documents.map((one) => one.version)}::text[]), unnest(${documents.map((one) => one.text)}::text[]),
      unnest(${documents.map((one) => one.people.length > 0)}::boolean[]),
      unnest(${documents.map((one) => one.startsMs)}::bigint[]), unnest(${documents.map((one) => one.endsMs)}::bigint[])
    order by 1
    on conflict (item_id) do update set user_id = excluded.user_id, version = excluded.version, text = excluded.text,
      meeting = excluded.meeting, starts_ms = excluded.starts_ms, ends_ms = excluded.ends_ms`.execute(tx);
  const attendances = documents.flatMap(({ itemId, people }) => people.map(({ email }) => ({ itemId, email })));
  await sql`
    delete from search.attendances where item_id = any(${documents.map((one) => one.itemId)}::uuid[])`.execute(tx);
  if (attendances.length === 0) return;
  await sql`
    insert into search.attendances (item_id, user_id, email)
    select unnest(${attendances.map((one) => one.itemId)}::uuid[]), ${userId},
      unnest(${attendances.map((one) => one.email)}::text[])`.execute(tx);
  const named = documents
    .flatMap((one) => one.people)
    .sort((one, other) => Number(one.name !== null) - Number(other.name !== null));
  const people = [...new Map(named.map((one) => [one.email, one])).values()];
  await sql`
    insert into search.people as p (user_id, email, name, text)
    select ${userId}, unnest(${people.map((one) => one.email)}::text[]), unnest(${people.map((one) => one.name)}::text[]),
      unnest(${people.map((one) => one.text)}::text[])
    order by 2 -- two calendars of a person are read at the same time
    on conflict (user_id, email) do update set name = excluded.name, text = excluded.text
    where excluded.name is not null and p.name is distinct from excluded.name`.execute(tx);
}

/** Deletes people who attend no event any more. */
export async function deleteStrangers(db: Database, userId: UserId): Promise<void> {
  await sql`
    delete from search.people p where user_id = ${userId} and not exists (
      select from search.attendances a where a.user_id = p.user_id and a.email = p.email)`.execute(db);
}

export async function findIndexTime(db: Database, calendarId: CalendarId): Promise<Temporal.Instant | null> {
  const { rows } = await sql<{ seenAt: Temporal.Instant }>`
    select seen_at as "seenAt" from search.readings where calendar_id = ${calendarId}`.execute(db);
  return rows[0]?.seenAt ?? null;
}

/** Records when a calendar was indexed. Writes nothing if the calendar is gone. */
export async function updateIndexTime(db: Database, calendarId: CalendarId, seenAt: Temporal.Instant): Promise<void> {
  await sql`
    insert into search.readings (calendar_id, seen_at) values (${calendarId}, ${seenAt})
    on conflict (calendar_id) do update set seen_at = excluded.seen_at`.execute(db);
}

/** Every word begins a word of the text, in any order. A word of one letter has a trigram too. */
const hasWords = (text: RawBuilder<unknown>, words: readonly string[]) =>
  sql.join(
    words.map((word) => sql`${text} like ${`% ${word}%`}`),
    sql` and `,
  );

interface FoundItems {
  /** Events without other attendees. */
  events: ItemId[];
  /** Events with other attendees. */
  meetings: ItemId[];
}

/** Shorter words are similar to everything. */
const fewestAlike = 4;
/** The most similar texts that are ranked. */
const mostAlike = 500;

/**
 * Items that match, best first: titles that begin so, titles with the words, then places and people; among equals what is
 * nearest in time, where the past is twice as far. Only where none does, those that sound alike.
 */
export async function findItems(
  db: Database,
  userId: UserId,
  { whole, words }: Wanted,
  { limit, nowMs }: { limit: number; nowMs: number },
): Promise<FoundItems> {
  const title = sql`split_part(text, E'\n', 1)`;
  const exact = await listItems(db, limit, nowMs, {
    matched: sql`where user_id = ${userId} and ${hasWords(sql`text`, words)}`,
    rank: sql`case when ${title} = ${` ${whole}`} then 0 when text like ${` ${whole}%`} then 1
      when ${hasWords(title, words)} then 2 else 3 end`,
  });
  if (exact.events.length + exact.meetings.length > 0 || whole.length < fewestAlike) return exact;
  return await listItems(db, limit, nowMs, {
    matched: sql`where user_id = ${userId} and ${whole} <% text limit ${mostAlike}`,
    rank: sql`-word_similarity(${whole}, text)`,
  });
}

async function listItems(
  db: Database,
  limit: number,
  nowMs: number,
  by: { matched: RawBuilder<unknown>; rank: RawBuilder<unknown> },
): Promise<FoundItems> {
  const best = (meetings: boolean) => sql`
    (select id, meeting from matched where meeting = ${meetings} order by rank, farness, id limit ${limit})`;
  const { rows } = await sql<{ id: ItemId; meeting: boolean }>`
    with matched as materialized (
      select item_id as id, meeting, ${by.rank} as rank, case when starts_ms > ${nowMs} then starts_ms - ${nowMs}
        when ends_ms < ${nowMs} then (${nowMs} - ends_ms) * 2 else 0 end as farness
      from search.documents ${by.matched}
    ) ${best(false)} union all ${best(true)}`.execute(db);
  const { events = [], meetings = [] } = Object.groupBy(rows, (row) => (row.meeting ? 'meetings' : 'events'));
  return { events: events.map(({ id }) => id), meetings: meetings.map(({ id }) => id) };
}

interface Person {
  email: string;
  name: string | null;
  events: number;
}

/** How many people are compared by how often they were met, and how many meetings of each are counted. */
const mostCompared = 200;
const mostCounted = 1_000;

/** People who match, those met most often first; where none does, those who sound alike. */
export async function findPeople(db: Database, userId: UserId, wanted: Wanted, limit: number): Promise<Person[]> {
  const { whole, words } = wanted;
  const begins = sql`text like ${` ${whole}%`}`;
  const found = await listPeople(db, userId, limit, {
    where: hasWords(sql`text`, words),
    order: sql`(not (${begins}))::int`,
  });
  if (found.length > 0 || whole.length < fewestAlike) return found;
  return await listPeople(db, userId, limit, {
    where: sql`word_similarity(${whole}, text) > 0.6`,
    order: sql`-word_similarity(${whole}, text)`,
  });
}

async function listPeople(
  db: Database,
  userId: UserId,
  limit: number,
  by: { where: RawBuilder<unknown>; order: RawBuilder<unknown> },
): Promise<Person[]> {
  const { rows } = await sql<Person>`
    with found as materialized (
      select email, name, ${by.order} as rank from search.people
      where user_id = ${userId} and ${by.where} order by rank, email limit ${mostCompared}
    )
    select found.email, found.name, met.events
    from found cross join lateral (
      select count(*)::int as events from (
        select from search.attendances a
        where a.user_id = ${userId} and a.email = found.email limit ${mostCounted}) a
    ) met
    where met.events > 0
    order by found.rank, met.events desc, found.email
    limit ${limit}`.execute(db);
  return rows;
}
