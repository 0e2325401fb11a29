import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';

export type FeedContent = 'events' | 'busy';

export interface PublishedFeed {
  id: string;
  userId: UserId;
  content: FeedContent;
  /** Sealed. */
  token: string;
  createdMs: number;
  lastReadMs: number | null;
  /** Whether events were missing at the last reading, because the feed has no room for them. */
  isCut: boolean;
}

const columns = sql`id, user_id as "userId", content, token, (extract(epoch from created_at) * 1000)::bigint as "createdMs",
  (extract(epoch from last_read_at) * 1000)::bigint as "lastReadMs", is_cut as "isCut"`;

export async function listFeeds(db: Database, userId: UserId): Promise<PublishedFeed[]> {
  const { rows } = await sql<PublishedFeed>`
    select ${columns} from calendar.published_feeds where user_id = ${userId} order by content`.execute(db);
  return rows;
}

/** One for each content: a new one ends the address of the old one. */
export async function replaceFeed(
  db: Database,
  row: Pick<PublishedFeed, 'id' | 'userId' | 'content' | 'token'> & { tokenHash: Buffer },
): Promise<void> {
  await sql`
    insert into calendar.published_feeds (id, user_id, content, token_hash, token)
    values (${row.id}, ${row.userId}, ${row.content}, ${row.tokenHash}, ${row.token})
    on conflict (user_id, content) do update set id = excluded.id, token_hash = excluded.token_hash,
      token = excluded.token, created_at = now(), last_read_at = null,
      is_cut = false`.execute(db);
}

/** One, or with null all of a person's. Answers with those that were there. */
export async function deleteFeeds(tx: Tx, userId: UserId, only: FeedContent | null): Promise<FeedContent[]> {
  const { rows } = await sql<{ content: FeedContent }>`
    delete from calendar.published_feeds where user_id = ${userId} and (${only}::text is null or content = ${only})
    returning content`.execute(tx);
  return rows.map(({ content }) => content);
}

/** The feed behind a token, noting that it was read. */
export async function takeFeed(db: Database, tokenHash: Buffer): Promise<PublishedFeed | null> {
  const { rows } = await sql<PublishedFeed>`
    update calendar.published_feeds set last_read_at = now() where token_hash = ${tokenHash}
    returning ${columns}`.execute(db);
  return rows[0] ?? null;
}

export async function markCut(db: Database, id: string, isCut: boolean): Promise<void> {
  await sql`update calendar.published_feeds set is_cut = ${isCut} where id = ${id}`.execute(db);
}
