import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { connectCaldav } from '#features/connections/connections.ts';
import { listCalendars } from '#features/connections/public.ts';
import { readingWanted } from '#features/sync/events.ts';
import { followConnection } from '#features/sync/follow.ts';
import { pullCalendar } from '#features/sync/pull.ts';
import { reconcile } from '#features/sync/reconcile.ts';
import { saveGroup } from '#features/sync/save-group.ts';
import { failPull } from '#features/sync/store/pulls.ts';
import { writeMirrors } from '#features/sync/write-mirrors.ts';
import type { CalendarId, ConnectionId, SessionId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { loadConfig } from '#platform/config.ts';
import { inTransaction } from '#platform/db.ts';
import { deadLetterQueue } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { openApp } from '#platform/open-app.ts';
import { features } from '../src/features.ts';
import type { Target } from './minimal-client.ts';

/** The product itself, opened on a bench's database: what runs here is what runs in production. */
export interface OurEngine {
  app: App;
  /** A new person with both accounts connected and a group that mirrors one calendar into the other. */
  connect(source: Target & { calendar: string }, target: Target & { calendar: string }): Promise<OurPair>;
  /** Lets the jobs run by themselves from here on. */
  work(): Promise<void>;
  /**
   * Waits until no job runs or is due, and tells when the last one ended, epoch ms: asked seldom, as the question costs the
   * processors what is measured.
   */
  settle(): Promise<number>;
  /** Waits until none will run later either: contacts look at a person again three seconds after an account was added. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** The steps of a pass. The jobs call these same functions; called one by one here, nothing else disturbs the clock. */
export interface OurPair {
  userId: UserId;
  pullSource(): Promise<void>;
  pullTarget(): Promise<void>;
  /** Enqueues the reading of both calendars, as the heartbeat does without any notice of a change. */
  handOut(): Promise<void>;
  /** Rounds of the heartbeat until a ctag is believed, which takes six seconds. */
  comeToRest(): Promise<void>;
  /** Plans what is new and writes what is due. */
  mirror(): Promise<void>;
  /** Requests a pull of the source, as a push from the provider or "Sync now" does. */
  poke(): Promise<void>;
  /** Has the source read from nothing the next time, as when it was just connected. */
  forgetSource(): Promise<void>;
  /** Takes the person and all that is theirs out of the database. */
  remove(): Promise<void>;
  /** Rows of the ledger by state. */
  counts(): Promise<Record<string, number>>;
}

/** One key for the whole run: the engine is opened several times on one database. */
const encryptionKeys = `bench:${randomBytes(32).toString('base64')}`;

export async function openOurEngine(databaseUrl: string): Promise<OurEngine> {
  const log = await createLog({ level: process.env.BENCH_LOG_LEVEL ?? 'error', format: 'json' });
  const config = loadConfig({
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_URL: 'http://localhost',
    DATA_DIR: '/nonexistent',
    CALDAV_ALLOW_PRIVATE: '127.0.0.1',
  });
  const opened = await openApp({ config, databaseUrl, encryptionKeys, log, features });
  let working: Promise<void> | undefined;
  return {
    app: opened.jobsApp,
    connect: (source, target) => connectPair(opened.jobsApp, source, target),
    work: () => (working ??= opened.work()),
    async settle() {
      while ((await opened.app.jobs.countPending()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
      // scheduled jobs have a slot (`singleton_on`) and do not count as work
      const { rows } = await sql<{ atMs: number }>`
        select (extract(epoch from max(completed_on)) * 1000)::float8 as "atMs" from jobs.job
        where singleton_on is null`.execute(opened.app.db);
      return rows[0]!.atMs;
    },
    async rest() {
      while (
        (await opened.app.jobs.listQueues()).some(
          ({ name, later, due, running }) => name !== deadLetterQueue && later + due + running > 0,
        )
      )
        await new Promise((resolve) => setTimeout(resolve, 50));
    },
    async close() {
      await opened.stopWork(500);
      await opened.close();
    },
  };
}

async function connectPair(
  app: App,
  source: Target & { calendar: string },
  target: Target & { calendar: string },
): Promise<OurPair> {
  const actor = await insertPerson(app);
  const sourceAccount = await connectAccount(app, actor, source);
  const isSameAccount = source.url === target.url && source.user === target.user;
  const targetAccount = isSameAccount ? sourceAccount : await connectAccount(app, actor, target);
  const from = await findCalendarOf(app, actor, sourceAccount, source.calendar);
  const to = await findCalendarOf(app, actor, targetAccount, target.calendar);
  await saveGroup(app, actor, null, {
    name: 'Bench',
    enabled: true,
    rule: {},
    members: [
      { calendarId: from.calendarId, isSource: true, isTarget: false },
      { calendarId: to.calendarId, isSource: false, isTarget: true },
    ],
    pairs: [],
  });
  const { signal } = new AbortController();
  const pull = async (calendarId: CalendarId) => {
    const report = await pullCalendar(app, calendarId, signal);
    if (report === null) throw new Error('the calendar could not be read');
  };
  const handOut = async () => {
    await app.db.updateTable('sync.pulls').set({ routine: true }).where('user_id', '=', actor.userId).execute();
  };
  return {
    userId: actor.userId,
    pullSource: () => pull(from.calendarId),
    pullTarget: () => pull(to.calendarId),
    handOut,
    async comeToRest() {
      for (const waitMs of [0, 6_000]) {
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        await handOut();
        await Promise.all([pull(from.calendarId), pull(to.calendarId)]);
      }
    },
    async mirror() {
      await reconcile(app, actor.userId, signal);
      await writeMirrors(app, to.connectionId, signal);
    },
    poke: () => inTransaction(app.db, (tx) => app.news.announce(tx, readingWanted, { calendarId: from.calendarId })),
    forgetSource: () => failPull(app.db, from.calendarId, { nextMs: app.clock.nowMs() + 3_600_000, forget: true }),
    // a job of the tick may hold some of it: a deadlock is tried again
    remove: () =>
      inTransaction(app.db, async (tx) => {
        await tx.deleteFrom('sync.mirrors').where('user_id', '=', actor.userId).execute();
        await tx.deleteFrom('accounts.users').where('id', '=', actor.userId).execute();
      }),
    async counts() {
      const rows = await app.db
        .selectFrom('sync.mirrors')
        .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
        .where('user_id', '=', actor.userId)
        .groupBy('state')
        .execute();
      return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
    },
  };
}

async function insertPerson(app: App): Promise<Actor> {
  const userId = randomUUIDv7() as string as UserId;
  await app.db
    .insertInto('accounts.users')
    .values({ id: userId, email: `${userId}@example.com` })
    .execute();
  // Benches have no sign-in; the engine asks only whose calendars it works on.
  return { userId, role: 'user', sessionId: randomUUIDv7() as string as SessionId } as Actor;
}

async function connectAccount(app: App, actor: Actor, { url, user, password }: Target): Promise<ConnectionId> {
  const connectionId = await connectCaldav(app, actor, { profile: 'generic', url, username: user, password });
  await followConnection(app, connectionId, actor.userId);
  return connectionId;
}

async function findCalendarOf(app: App, actor: Actor, connectionId: ConnectionId, name: string) {
  const calendars = await listCalendars(app.db, actor.userId);
  const found = calendars.find((it) => it.connectionId === connectionId && it.ref.endsWith(`/${name}/`));
  if (!found) throw new Error(`the account has no calendar ${name}`);
  return { connectionId, calendarId: found.id };
}
