import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { UserId } from '#kernel/ids.ts';
import { clientOptions, type Database } from './db.ts';
import type { Log } from './log.ts';

/**
 * Live updates for open browsers: per person, at least once, across processes. A message only triggers a re-read, so a
 * duplicate is harmless. `reset` means that messages may be missing and everything must be read again.
 */
export interface FeedEntry {
  readonly id: number;
  readonly topic: string;
  readonly payload: FeedPayload;
}

export type FeedPayload = Readonly<Record<string, unknown>>;

export interface Subscription {
  close(): void;
}

export interface Feed {
  /** In the caller's transaction: rolled back with it, delivered once it commits. Several topics are one statement. */
  publish(tx: Database, userId: UserId, topic: string | readonly string[], payload?: FeedPayload): Promise<void>;
  /** The same to several, in one statement. */
  publishToAll(tx: Database, userIds: readonly UserId[], topic: string, payload?: FeedPayload): Promise<void>;
  /**
   * With an id, entries missed since are given first. With `recent`, entries of the last 30 seconds are: a page may have
   * read its answers before. The listener must not throw.
   */
  subscribe(userId: UserId, after: number | 'recent' | undefined, listener: (entry: FeedEntry) => void): Subscription;
  /** Resolves once this process hears what others publish. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** Longer than any stream stays broken; what is older was trimmed, and the browser reloads. */
export const feedKeptMinutes = 60;
const channel = 'holdfast_feed';
/** NOTIFY carries at most 8,000 bytes; larger payloads are read from the table. */
const inlineBytes = 6_000;
const replayMost = 500;

interface Subscriber {
  userId: UserId;
  lastId: number | undefined;
  /** Whether a page has just been opened. */
  isNew: boolean;
  /** Entries that arrive while the missed ones are still being read. */
  pending: FeedEntry[] | undefined;
  /** Given from the table; their notifications may still be on the way. */
  replayed: Set<number>;
  listener: (entry: FeedEntry) => void;
}

/** `url` is for the one LISTEN connection, which is opened at once and again whenever it breaks. */
export function createFeed(options: { db: Database; url: string; log: Log }): Feed {
  const { db, log } = options;
  const subscribers = new Map<UserId, Set<Subscriber>>();
  const stopped = new AbortController();
  const first = Promise.withResolvers<void>();
  let client: pg.Client | undefined;
  let connecting: Promise<unknown> | undefined;

  function deliver(subscriber: Subscriber, entry: FeedEntry) {
    if (subscriber.pending) {
      subscriber.pending.push(entry);
      return;
    }
    if (subscriber.replayed.delete(entry.id)) return;
    if (entry.id > (subscriber.lastId ?? 0)) subscriber.lastId = entry.id;
    subscriber.listener(entry);
  }

  async function hear(text: string) {
    const note = JSON.parse(text) as { u: UserId; i: number; t?: string; p?: FeedPayload };
    const listening = subscribers.get(note.u);
    if (!listening) return;
    const entry =
      note.t === undefined
        ? await db
            .selectFrom('platform.feed')
            .select(['id', 'topic', 'payload'])
            .where('id', '=', note.i)
            .executeTakeFirst()
        : { id: note.i, topic: note.t, payload: note.p };
    if (entry) for (const subscriber of listening) deliver(subscriber, entry as FeedEntry);
  }

  /**
   * News committed since `lastId`, with a minute of overlap: ids are drawn before commit, so they may overtake. Without
   * a `lastId`, nobody knows what was missed, as entries of a deleted account are deleted.
   */
  async function catchUp(subscriber: Subscriber) {
    subscriber.pending ??= [];
    const { lastId, isNew, userId } = subscriber;
    subscriber.isNew = false;
    const missed =
      lastId !== undefined ? await missedSince(db, userId, lastId) : isNew ? await recent(db, userId) : undefined;
    const late = subscriber.pending;
    subscriber.pending = undefined;
    const given = new Set<number>();
    for (const entry of missed ?? [{ id: subscriber.lastId ?? 0, topic: 'reset', payload: {} }]) {
      deliver(subscriber, entry);
      given.add(entry.id);
    }
    subscriber.replayed = given;
    for (const entry of late) deliver(subscriber, entry);
  }

  function catchUpLater(subscriber: Subscriber) {
    catchUp(subscriber).catch((error: unknown) => {
      log.warn({ err: error }, 'missed feed entries could not be read');
      subscriber.pending = undefined;
      subscriber.listener({ id: subscriber.lastId ?? 0, topic: 'reset', payload: {} });
    });
  }

  async function listen(): Promise<void> {
    const broken = Promise.withResolvers<void>();
    client = new pg.Client(clientOptions(options.url, 'holdfast feed'));
    client.on('error', (error) => log.warn({ err: error }, 'the feed connection broke'));
    client.on('end', () => broken.resolve());
    client.on('notification', (note) => {
      hear(note.payload ?? '').catch((error: unknown) =>
        log.warn({ err: error }, 'a feed entry could not be delivered'),
      );
    });
    connecting = client.connect();
    await connecting;
    await client.query(`listen ${channel}`);
    first.resolve();
    for (const listening of subscribers.values()) for (const one of listening) catchUpLater(one);
    await broken.promise;
  }

  const loop = (async () => {
    for (let waitMs = 100; !stopped.signal.aborted; waitMs = Math.min(waitMs * 2, 5_000)) {
      try {
        await listen();
        waitMs = 100;
      } catch (error) {
        log.warn({ err: error }, 'the feed connection could not be opened');
      }
      await sleep(waitMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();

  return {
    publish: publishEntry,
    publishToAll: publishEntries,
    subscribe(userId, after, listener) {
      const subscriber: Subscriber = {
        userId,
        lastId: after === 'recent' ? undefined : after,
        isNew: after === 'recent',
        pending: after === undefined ? undefined : [],
        replayed: new Set(),
        listener,
      };
      const listening = subscribers.get(userId) ?? new Set();
      subscribers.set(userId, listening.add(subscriber));
      if (after !== undefined) catchUpLater(subscriber);
      return {
        close() {
          listening.delete(subscriber);
          if (listening.size === 0 && subscribers.get(userId) === listening) subscribers.delete(userId);
        },
      };
    },
    ready: () => first.promise,
    async close() {
      stopped.abort();
      first.resolve();
      // a client that is ended while it connects never says that it has ended
      await connecting?.catch(() => undefined);
      await client?.end().catch(() => undefined);
      await loop;
    },
  };
}

/** Publishes like `Feed.publish`, for callers that have no feed to listen to. */
export function publishEntry(
  tx: Database,
  userId: UserId,
  topic: string | readonly string[],
  payload?: FeedPayload,
): Promise<void> {
  return publishEntries(tx, [userId], topic, payload);
}

/** The same to several, in one statement. */
export async function publishEntries(
  tx: Database,
  userIds: readonly UserId[],
  topic: string | readonly string[],
  payload: FeedPayload = {},
): Promise<void> {
  const topics = typeof topic === 'string' ? [topic] : topic;
  const text = JSON.stringify(payload);
  const whole = Buffer.byteLength(text) <= inlineBytes ? sql`, 't', topic, 'p', ${text}::json` : sql``;
  await sql`
    with entry as (
      insert into platform.feed (user_id, topic, payload)
      select id, topic, ${text}::jsonb from unnest(${userIds}::uuid[]) as id, unnest(${topics}::text[]) as topic
      returning id, user_id, topic)
    select pg_notify(${channel}, json_build_object('u', user_id, 'i', id${whole})::text) from entry`.execute(tx);
}

/** Undefined when the entry is no longer known or too many followed it. */
async function missedSince(db: Database, userId: UserId, lastId: number): Promise<FeedEntry[] | undefined> {
  if (lastId === 0) {
    const any = await db
      .selectFrom('platform.feed')
      .select('id')
      .where('user_id', '=', userId)
      .limit(1)
      .executeTakeFirst();
    return any ? undefined : [];
  }
  const rows = await sql<FeedEntry>`
    with last as (select at from platform.feed where id = ${lastId})
    select f.id, f.topic, f.payload
    from platform.feed f, last
    where f.user_id = ${userId} and f.id <> ${lastId} and (f.id > ${lastId} or f.at > last.at - interval '1 minute')
    order by f.id limit ${replayMost + 1}`.execute(db);
  if (rows.rows.length > replayMost) return undefined;
  if (rows.rows.length > 0) return rows.rows;
  const known = await db.selectFrom('platform.feed').select('id').where('id', '=', lastId).executeTakeFirst();
  return known ? [] : undefined;
}

/** News of the last 30 seconds, or undefined where there are too many. */
async function recent(db: Database, userId: UserId): Promise<FeedEntry[] | undefined> {
  const entries = await db
    .selectFrom('platform.feed')
    .select(['id', 'topic', 'payload'])
    .where('user_id', '=', userId)
    .where('at', '>', sql<Temporal.Instant>`now() - interval '30 seconds'`)
    .orderBy('id')
    .limit(replayMost + 1)
    .execute();
  return entries.length > replayMost ? undefined : (entries as FeedEntry[]);
}

/** Removes what no stream will ask for any more. */
export async function trimFeed(db: Database): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('platform.feed')
    .where('at', '<', sql<Temporal.Instant>`now() - make_interval(mins => ${feedKeptMinutes})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes what a deleted member was told. */
export async function forgetEntries(tx: Database, userId: UserId): Promise<void> {
  await tx.deleteFrom('platform.feed').where('user_id', '=', userId).execute();
}
