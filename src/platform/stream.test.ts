import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { features } from '../../src/features.ts';
import { startTestApp, type TestApp } from '../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../test/harness/test-client.ts';
import { inTransaction } from './db.ts';
import { trimFeed } from './feed.ts';
import { createHttpServer } from './http.ts';
import { addressWithKey } from './this-machine.ts';

// Two web processes on one database: what one publishes, the other's browsers hear.
let here: TestApp;
let there: TestApp;
let address: string;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  here = await startTestApp({ role: 'web' });
  there = await startTestApp({ role: 'web', database: here.database });
  address = await there.listen();
  [ada, bob] = [await signUpUser(here, 'ada@example.org'), await signUpUser(here, 'bob@example.org')];
  await Promise.all([here.app.feed.ready(), there.app.feed.ready()]);
});
afterAll(async () => {
  await there.close();
  await here.close();
});

interface Heard {
  id: number;
  topic: string;
  payload: unknown;
}

/** A stream that hears only what happens from now on, or with `lastId` what was missed too. */
async function open(user: TestUser, lastId?: number) {
  if (lastId === undefined) await sql`update platform.feed set at = at - interval '30 seconds'`.execute(here.app.db);
  return openPage(user, lastId);
}

async function openPage(user: TestUser, lastId?: number) {
  const controller = new AbortController();
  const response = await fetch(`${address}/api/stream`, {
    headers: {
      authorization: `Bearer ${user.token}`,
      ...(lastId === undefined ? {} : { 'last-event-id': String(lastId) }),
    },
    signal: controller.signal,
  });
  const heard: Heard[] = [];
  let ended = false;
  const reading = (async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const found = /^id: (\d+)\ndata: (.*)$/.exec(block);
        if (found) heard.push({ id: Number(found[1]), ...JSON.parse(found[2] ?? '') });
      }
    }
  })().then(
    () => {
      ended = true;
    },
    () => undefined,
  );
  return {
    response,
    heard,
    hasEnded: () => ended,
    async close() {
      controller.abort();
      await reading;
    },
  };
}

const publish = (user: TestUser, topic: string, payload = {}) =>
  inTransaction(here.app.db, (tx) => here.app.feed.publish(tx, user.userId, topic, payload));

test('an event committed in one process reaches its person’s stream in another within half a second', async () => {
  const [hers, his] = [await open(ada), await open(bob)];
  expect(hers.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(hers.response.headers.get('content-security-policy')).toContain("default-src 'none'");
  await publish(ada, 'calendar.changed', { calendarId: 'c' });
  await expect.poll(() => hers.heard).toHaveLength(1);
  expect(hers.heard[0]).toMatchObject({ topic: 'calendar.changed', payload: { calendarId: 'c' } });
  await publish(ada, 'large', { text: 'ü'.repeat(10_000) });
  await expect.poll(() => hers.heard.at(-1)?.payload).toEqual({ text: 'ü'.repeat(10_000) });
  // messages arrive in the order in which they were published
  await publish(bob, 'marker');
  await expect.poll(() => his.heard.map((one) => one.topic)).toEqual(['marker']);
  await Promise.all([hers.close(), his.close()]);
});

test('a new stream begins with the events of the last 30 seconds, which its page may have missed', async () => {
  const eva = await signUpUser(here, 'eva@example.org');
  await publish(eva, 'long ago');
  await sql`update platform.feed set at = at - interval '30 seconds' where user_id = ${eva.userId}`.execute(
    here.app.db,
  );
  await publish(eva, 'calendar');
  await publish(bob, 'not hers');
  const stream = await openPage(eva);
  await publish(eva, 'marker');
  await expect.poll(() => stream.heard.map((one) => one.topic)).toEqual(['calendar', 'marker']);
  await stream.close();
});

test('an event of a rolled-back transaction is never sent', async () => {
  const stream = await open(ada);
  await inTransaction(here.app.db, async (tx) => {
    await here.app.feed.publish(tx, ada.userId, 'never');
    throw new Error('rolled back');
  }).catch(() => undefined);
  await publish(ada, 'marker');
  await expect.poll(() => stream.heard.map((one) => one.topic)).toEqual(['marker']);
  await stream.close();
});

test('a reconnected stream continues after the last event it received', async () => {
  const first = await open(ada);
  await publish(ada, 'one');
  await expect.poll(() => first.heard).toHaveLength(1);
  await first.close();
  const lastId = first.heard[0]?.id ?? 0;
  await publish(ada, 'two');
  await publish(bob, 'not hers');
  await publish(ada, 'three');
  const second = await open(ada, lastId);
  await publish(ada, 'four');
  await expect.poll(() => second.heard.at(-1)?.topic).toBe('four');
  const topics = second.heard.filter((one) => one.id > lastId).map((one) => one.topic);
  expect(topics).toEqual(['two', 'three', 'four']);
  await second.close();
});

test('a stream whose missed events were trimmed gets a reset event', async () => {
  const stream = await open(ada, 1);
  await sql`update platform.feed set at = now() - interval '61 minutes'`.execute(here.app.db);
  expect(await trimFeed(here.app.db)).toBeGreaterThan(0);
  await stream.close();
  const again = await open(ada, 1);
  await expect.poll(() => again.heard.map((one) => one.topic)).toEqual(['reset']);
  await again.close();
});

/** Ends the connections of this database only: tests share a server. */
const breakFeeds = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'holdfast feed'`.execute(here.app.db);

test('a lost database connection is restored, and the events missed meanwhile are sent', async () => {
  const stream = await open(ada);
  await publish(ada, 'before');
  await expect.poll(() => stream.heard).toHaveLength(1);
  await breakFeeds();
  await publish(ada, 'while deaf');
  await expect.poll(() => stream.heard.map((one) => one.topic)).toContain('while deaf');
  await publish(ada, 'after');
  await expect.poll(() => stream.heard.at(-1)?.topic).toBe('after');
  await stream.close();
});

test('a stream whose session ended unheard ends when the lost database connection is back', async () => {
  const dora = await signUpUser(here, 'dora@example.org');
  const stream = await open(dora);
  // the entry about it is gone as well, as for an account that is deleted
  await sql`delete from accounts.sessions where user_id = ${dora.userId}`.execute(here.app.db);
  await sql`delete from platform.feed where user_id = ${dora.userId}`.execute(here.app.db);
  await breakFeeds();
  await expect.poll(() => stream.hasEnded(), { message: 'whether the stream has ended' }).toBe(true);
});

test('signing out in one process ends the streams of that session in another', async () => {
  const carol = await signUpUser(here, 'carol@example.org');
  const stream = await open(carol);
  await carol.as(accountsContract).logout();
  await expect.poll(() => stream.hasEnded(), { message: 'whether the stream has ended' }).toBe(true);
  expect((await fetch(`${address}/api/stream`, { headers: { authorization: `Bearer ${carol.token}` } })).status).toBe(
    401,
  );
});

test('one person has a limited number of streams, and closing one frees a place', async () => {
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(bob)));
  expect(streams.every((one) => one.response.status === 200)).toBe(true);
  const refused = await open(bob);
  expect(refused.response.status).toBe(429);
  await streams[0]?.close();
  const statusOfNext = async () => {
    const next = await open(bob);
    await next.close();
    return next.response.status;
  };
  await expect.poll(statusOfNext).toBe(200);
  await Promise.all(streams.map((one) => one.close()));
  const streamsInMetrics = async () => {
    const metrics = await there.inject({ url: addressWithKey(there.app, '/metrics') });
    return /^holdfast_streams (\d+)$/m.exec(metrics.body)?.[1];
  };
  await expect.poll(streamsInMetrics).toBe('0');
});

test('a stream begins with the name of the served build', async () => {
  const webRoot = await mkdtemp(join(tmpdir(), 'holdfast-web-'));
  await writeFile(
    join(webRoot, 'index.html'),
    '<!doctype html><script src="/theme.js"></script><script type="module" crossorigin src="/assets/index-1a2b.js"></script>',
  );
  await writeFile(join(webRoot, 'screens.json'), '[]');
  const http = await createHttpServer(here.app, features, { webRoot });
  const controller = new AbortController();
  try {
    const url = await http.fastify.listen({ port: 0, host: '127.0.0.1' });
    const user = await signUpUser(here, 'builds@example.org');
    const headers = { authorization: `Bearer ${user.token}` };
    const { body } = await fetch(`${url}/api/stream`, { headers, signal: controller.signal });
    let text = '';
    for await (const chunk of body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('build')) break;
    }
    expect(text).toBe('retry: 2000\n\nevent: build\ndata: "/assets/index-1a2b.js"\n\n');
  } finally {
    controller.abort();
    await http.close();
    await rm(webRoot, { recursive: true });
  }
});
