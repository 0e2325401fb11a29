import { sql } from 'kysely';
import type { CalendarId, ItemId, UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

export interface DocumentRow {
  itemId: ItemId;
  version: string;
  text: string;
  people: { email: string; name: string | null; text: string }[];
  startsMs: number | null;
  endsMs: number | null;
}

/** Of these versions those that the index has not read. */
export async function listUnread(db: Database, items: { id: ItemId; version: string }[]): Promise<ItemId[]> {
  const { rows } = await sql<{ id: ItemId }>`
    select i.id from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ version }) => version)}::text[])
      as i(id, version)
    left join search.documents d on d.item_id = i.id
    where d.version is distinct from i.version`.execute(db);
  return rows.map(({ id }) => id);
}

/** Writes what was read of these items in place of what was known of them. */
export async function replaceDocuments(tx: Tx, userId: UserId, documents: DocumentRow[]): Promise<void> {
  await sql`
    insert into search.documents (item_id, user_id, version, text, meeting, starts_ms, ends_ms)
    select unnest(${documents.map((one) => one.itemId)}::uuid[]), ${userId},
      unnest(${documents.map((one) => one.version)}::text[]), unnest(${documents.map((one) => one.text)}::text[]),
      unnest(${documents.map((one) => one.people.length > 0)}::boolean[]),
      unnest(${documents.map((one) => one.startsMs)}::bigint[]), unnest(${documents.map((one) => one.endsMs)}::bigint[])
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
  // in one order everywhere: two calendars of a person are read at the same time
  people.sort((one, other) => (one.email < other.email ? -1 : 1));
  await sql`
    insert into search.people as p (user_id, email, name, text)
    select ${userId}, unnest(${people.map((one) => one.email)}::text[]), unnest(${people.map((one) => one.name)}::text[]),
      unnest(${people.map((one) => one.text)}::text[])
    on conflict (user_id, email) do update set name = excluded.name, text = excluded.text
    where excluded.name is not null and p.name is distinct from excluded.name`.execute(tx);
}

/** People who take part in nothing any more. */
export async function forgetStrangers(db: Database, userId: UserId): Promise<void> {
  await sql`
    delete from search.people p where user_id = ${userId} and not exists (
      select from search.attendances a where a.user_id = p.user_id and a.email = p.email)`.execute(db);
}

export async function findReading(db: Database, calendarId: CalendarId): Promise<Temporal.Instant | null> {
  const { rows } = await sql<{ seenAt: Temporal.Instant }>`
    select seen_at as "seenAt" from search.readings where calendar_id = ${calendarId}`.execute(db);
  return rows[0]?.seenAt ?? null;
}

/** Nothing where the calendar has gone meanwhile. */
export async function saveReading(db: Database, calendarId: CalendarId, seenAt: Temporal.Instant): Promise<void> {
  await sql`
    insert into search.readings (calendar_id, seen_at) values (${calendarId}, ${seenAt})
    on conflict (calendar_id) do update set seen_at = excluded.seen_at`.execute(db);
}
