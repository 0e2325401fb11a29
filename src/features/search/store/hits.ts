import { type RawBuilder, sql } from 'kysely';
import type { ItemId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import type { Wanted } from '../rules/wanted.ts';

/** The words begin words, in whatever order; a word of one sign has its trigram too. */
const hasWords = (text: RawBuilder<unknown>, words: readonly string[]) =>
  sql.join(
    words.map((word) => sql`${text} like ${`% ${word}%`}`),
    sql` and `,
  );

export interface FoundItems {
  /** Of the person alone. */
  events: ItemId[];
  /** With somebody else. */
  meetings: ItemId[];
}

/** With fewer signs everything sounds alike. */
const fewestAlike = 4;
/** Of what sounds alike no more than so many are compared. */
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

export interface Person {
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
