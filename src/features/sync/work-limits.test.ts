import { createServer, type Server } from 'node:http';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CalendarId } from '#kernel/ids.ts';
import { readingLimits } from '#kernel/work-limits.ts';
import { inTransaction } from '#platform/db.ts';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { waitFor } from '../../../test/harness/wait-for.ts';
import { connectionsContract } from '../connections/contract.ts';
import { syncContract } from './contract.ts';
import { readingOf } from './events.ts';
import { freshen } from './freshen.ts';
import { tick } from './tick.ts';

/** A publisher of a feed that may or may not tell versions of it apart. */
interface Publisher {
  server: Server;
  host: string;
  events: string[];
  hasEtag: boolean;
  /** It takes requests and answers none. */
  isSilent: boolean;
  asked: number;
}

let publisher: Publisher;
let world: SyncWorld;

beforeEach(async () => {
  const server = createServer((request, response) => {
    publisher.asked += 1;
    if (publisher.isSilent) return;
    const etag = `"${publisher.events.length}"`;
    if (publisher.hasEtag && request.headers['if-none-match'] === etag) return response.writeHead(304).end();
    response.writeHead(200, { 'content-type': 'text/calendar', ...(publisher.hasEtag ? { etag } : {}) });
    response.end(
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Rota\r\n${publisher.events.join('')}END:VCALENDAR\r\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  publisher = { server, host: `127.0.0.1:${port}`, events: [], hasEtag: true, isSilent: false, asked: 0 };
  world = await startSyncWorld({ allowPrivate: [publisher.host] });
});
afterEach(async () => {
  await world.close();
  publisher.server.closeAllConnections();
  await new Promise((resolve) => publisher.server.close(resolve));
});

const eventLines = (uid: string, rule: string) => [
  `UID:${uid}`,
  'DTSTART:20270302T080000Z',
  'DTEND:20270302T080001Z',
  'SUMMARY:Rota',
  ...(rule ? [rule] : []),
];
const feedEvent = (uid: string, rule = '') => ['BEGIN:VEVENT', ...eventLines(uid, rule), 'END:VEVENT', ''].join('\r\n');
const everySecond = 'RRULE:FREQ=SECONDLY';
/** Some 3,900 of them from today to the end of what is kept ready. */
const nineADay = 'RRULE:FREQ=MINUTELY;INTERVAL=150';
/** Finding which of COUNT and UNTIL ends each of them takes many steps, and then there are few instances. */
const countAndUntil = Array.from(
  { length: 20 },
  (_, n) => `RRULE:FREQ=DAILY;BYMONTHDAY=1,2,3;UNTIL=20270303T000000Z;COUNT=${40_000 + n}`,
).join('\r\n');
const times = (count: number, rule: string) => Array.from({ length: count }, (_, n) => feedEvent(`e${n}@rota`, rule));

async function subscribe(): Promise<string> {
  const { account } = await world.person
    .as(connectionsContract)
    .connectFeed({ body: { url: `http://${publisher.host}/rota.ics` } });
  await world.server.settle();
  return account.accountId;
}

/** The card of an account on the Connections screen. */
async function cardOf(accountId: string, language = 'en') {
  const { server, person } = world;
  const headers = { authorization: `Bearer ${person.token}`, 'accept-language': language, accept: 'application/json' };
  const read = async (url: string) => (await server.inject({ method: 'GET', url, headers })).json();
  const { accounts } = await read('/integrations/accounts');
  const { calendars } = await read('/integrations/calendars');
  const account = accounts.find((one: { accountId: string }) => one.accountId === accountId);
  const calendar = calendars.find((one: { accountId: string }) => one.accountId === accountId);
  return { status: account.status, message: account.message, error: calendar.error };
}

async function rowsOf(accountId: string): Promise<{ items: number; spans: number }> {
  const { rows } = await sql<{ items: number; spans: number }>`
    select (select count(*)::int from calendar.items i where i.calendar_id = c.id) as items,
      (select count(*)::int from calendar.spans s where s.calendar_id = c.id) as spans
    from connections.calendars c where c.connection_id = ${accountId}`.execute(world.server.app.db);
  return rows[0] ?? { items: -1, spans: -1 };
}

/** Whether the heartbeat pulls calendars of this account this long after now. */
async function isReadAfter(minutes: number): Promise<boolean> {
  const before = publisher.asked;
  world.clock.advance({ minutes });
  await tick(world.server.app);
  await world.server.settle();
  return publisher.asked > before;
}

test.each([
  ['300 events every second', 300, everySecond, 'more than 400000 steps'],
  ['3,000 events every second', 3_000, everySecond, 'more than 400000 steps'],
  ['the sum of many events', 40, nineADay, 'more than 100000 events'],
  ['rules of COUNT and UNTIL', 20, countAndUntil, 'more than 400000 steps'],
])('a feed that takes too much work is refused as a whole, and its card says so: %s', async (_, count, rule, limit) => {
  publisher.events = [feedEvent('known@rota')];
  const accountId = await subscribe();
  expect(await rowsOf(accountId)).toEqual({ items: 1, spans: 1 });
  publisher.events = times(count, rule);
  await world.pass();
  expect(await rowsOf(accountId)).toEqual({ items: 1, spans: 1 });
  const card = await cardOf(accountId);
  expect(card).toMatchObject({ status: 'error', message: card.error });
  expect(card.error).toContain(limit);
  expect(card.error).toContain('are kept');
  for (const language of ['de', 'es', 'fr', 'ja'])
    expect((await cardOf(accountId, language)).error).not.toContain('events');
});

test.each([
  ['with versions', true],
  ['without versions', false],
])('a feed that was refused is not read again until it changes: %s', async (_, hasEtag) => {
  publisher.hasEtag = hasEtag;
  publisher.events = times(300, everySecond);
  const accountId = await subscribe();
  expect((await cardOf(accountId)).status).toBe('error');
  expect(await isReadAfter(50)).toBe(false);
  publisher.asked = 0;
  expect(await isReadAfter(15)).toBe(true);
  // a reading of new events asks a second time
  expect(publisher.asked).toBe(1);
  expect((await cardOf(accountId)).error).toContain('steps');
  publisher.events = [feedEvent('a@rota')];
  expect(await isReadAfter(600)).toBe(true);
  expect(await rowsOf(accountId)).toEqual({ items: 1, spans: 1 });
  expect(await cardOf(accountId)).toEqual({ status: 'active', message: null, error: null });
});

test('a series that is too dense has no rows, and the rest of its calendar is read', async () => {
  publisher.events = [...times(5, everySecond), feedEvent('plain@rota', 'RRULE:FREQ=DAILY;COUNT=3')];
  const accountId = await subscribe();
  expect(await rowsOf(accountId)).toEqual({ items: 6, spans: 3 });
  expect((await cardOf(accountId)).status).toBe('active');
});

test.each([
  ['300 events every second', 300, everySecond],
  ['3,000 events every second', 3_000, everySecond],
  ['the sum of many events', 40, nineADay],
  ['rules of COUNT and UNTIL', 20, countAndUntil],
])(
  'a CalDAV calendar that takes too much work stops at the limit, and its card says so: %s',
  async (_, count, rule) => {
    const side = await world.openSide('bomb');
    await world.server.settle();
    side.put('known.ics', eventLines('known@x', '').join('\n'));
    await world.pass();
    for (let n = 0; n < count; n += 1) side.put(`e${n}.ics`, eventLines(`e${n}@x`, rule).join('\n'));
    await world.pass();
    const { spans } = await rowsOf(side.accountId);
    expect(spans).toBeGreaterThan(0);
    expect(spans).toBeLessThanOrEqual(readingLimits.instances);
    const card = await cardOf(side.accountId);
    expect(card.status).toBe('error');
    expect(card.error).toMatch(/more than (400000 steps|100000 events)/);
    const { rows } = await sql<{ waits: boolean }>`
    select next_pull_at >= to_timestamp(${world.clock.nowMs() / 1000}) + interval '1 hour' as waits
    from sync.pulls p where connection_id = ${side.accountId}`.execute(world.server.app.db);
    expect(rows).toEqual([{ waits: true }]);
  },
);

/** A CalDAV server whose calendar answers a reading with `inside`. */
function hostileCaldav(inside: () => string) {
  let readings = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const isReading = request.method === 'REPORT' || body.includes('getetag');
      if (isReading) readings += 1;
      const calendar =
        '<d:response><d:href>/work/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/><c:calendar/></d:resourcetype></d:prop>' +
        '<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';
      response.writeHead(207, { 'content-type': 'application/xml' });
      response.end(
        `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${isReading ? inside() : calendar}</d:multistatus>`,
      );
    });
  });
  return { server, readings: () => readings };
}

test('a CalDAV answer that takes too much work ends the reading, which rests for an hour, also after a restart', async () => {
  const { server, readings } = hostileCaldav(() => `<d:response>${'<d/>'.repeat(200_000)}</d:response>`);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const own = await startSyncWorld({ allowPrivate: [host] });
  try {
    const body = { profile: 'generic' as const, url: `http://${host}/work/`, username: 'x', password: 'y' };
    const { account } = await own.person.as(connectionsContract).connectCaldav({ body });
    await own.server.settle();
    expect(readings()).toBe(1);
    const { rows } = await sql<{ calendarId: CalendarId; code: string; waits: boolean }>`
      select calendar_id as "calendarId", c.error_code as code,
        next_pull_at >= to_timestamp(${own.clock.nowMs() / 1000}) + interval '1 hour' as waits
      from sync.pulls p join connections.calendars c on c.id = p.calendar_id
      where p.connection_id = ${account.accountId}`.execute(own.server.app.db);
    expect(rows).toMatchObject([{ code: 'TOO_LARGE', waits: true }]);
    // as a booking does
    await freshen(
      own.server.app,
      rows.map(({ calendarId }) => calendarId),
      { timeoutMs: 5_000 },
    );
    own.clock.advance({ minutes: 50 });
    await tick(own.server.app);
    await own.server.settle();
    expect(readings()).toBe(1);
    own.clock.advance({ minutes: 15 });
    await tick(own.server.app);
    await own.server.settle();
    expect(readings()).toBe(2);
  } finally {
    await own.close();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('bookings have a calendar read 30 times at once and then every two seconds, and many at once share a reading', async () => {
  const { app } = world.server;
  const user = await signUpUser(world.server, 'popular@example.org');
  await user.as(connectionsContract).connectFeed({ body: { url: `http://${publisher.host}/popular.ics` } });
  await world.server.settle();
  const { calendars } = await user.as(connectionsContract).listIntegrationCalendars();
  const ids = calendars.map(({ calendarId }) => calendarId as CalendarId);
  const isRead = async () => (await freshen(app, ids, { timeoutMs: 5_000 })).size === 1;
  const before = publisher.asked;
  const startedMs = performance.now();
  expect(await Promise.all(Array.from({ length: 100 }, isRead))).not.toContain(false);
  expect(publisher.asked - before).toBe(2);
  for (let n = 0; n < 30; n += 1) expect(await isRead()).toBe(true);
  expect(publisher.asked - before).toBe(32);
  expect(performance.now() - startedMs).toBeGreaterThan(3_900);
}, 30_000);

test('31 silent servers of one person delay no reading of another person', async () => {
  const { app } = world.server;
  const other = await signUpUser(world.server, 'other@example.org');
  for (let n = 0; n < 31; n += 1)
    await other.as(connectionsContract).connectFeed({ body: { url: `http://${publisher.host}/rota${n}.ics` } });
  await world.server.settle();
  publisher.isSilent = true;
  publisher.asked = 0;
  const { rows: silent } = await sql<{ id: CalendarId }>`
    select id from connections.calendars where user_id = ${other.userId}`.execute(app.db);
  expect(silent).toHaveLength(31);
  await inTransaction(app.db, (tx) => app.news.announceAll(tx, readingOf(silent.map(({ id }) => id))));
  await waitFor('a request to the silent server', () => publisher.asked > 0);
  for (let n = 0; n < 20; n += 1) {
    world.left.put(`e${n}.ics`, `UID:e${n}\r\nDTSTART:20270302T080000Z\r\nDTEND:20270302T090000Z\r\nSUMMARY:Work`);
    await inTransaction(app.db, (tx) => app.news.announceAll(tx, readingOf([world.left.calendarId])));
    await waitFor('the reading', async () => {
      const { rows } = await sql`
        select from calendar.items where calendar_id = ${world.left.calendarId} and ref like ${`%e${n}.ics`}`.execute(
        app.db,
      );
      return rows.length === 1;
    });
  }
  expect(publisher.asked).toBeLessThanOrEqual(8);
}, 60_000);

test('a failed calendar is read at once when its person wants that, 60 times in ten minutes at most', async () => {
  publisher.events = times(300, everySecond);
  const accountId = await subscribe();
  const { person, server } = world;
  const nextOf = async () => {
    const { rows } = await sql<{ at: string }>`
      select next_pull_at::text as at from sync.pulls where connection_id = ${accountId}`.execute(server.app.db);
    return rows[0]?.at;
  };
  const sync = async () => {
    const before = await nextOf();
    world.clock.advance({ seconds: 1 });
    await person.as(syncContract).syncAccount({ params: { accountId } });
    await server.settle();
    return (await nextOf()) !== before;
  };
  expect(await sync()).toBe(true);
  await sql`update platform.limits set full_at = now() + interval '10 minutes'
    where key = sha256(convert_to('readings past a backoff', 'UTF8') || '\\x00'::bytea
      || convert_to(${person.userId}, 'UTF8'))`.execute(server.app.db);
  expect(await sync()).toBe(false);
}, 30_000);
