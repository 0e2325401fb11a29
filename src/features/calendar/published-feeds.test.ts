import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';
import { parseFeed } from '../../kernel/ical/parse-feed.ts';
import { loadMirrorSigner } from '../connections/adapters.ts';
import { calendarContract } from './contract.ts';

let world: SyncWorld;
beforeAll(async () => {
  world = await startSyncWorld({ now: '2027-03-01T09:00:00Z' });
  const put = (name: string, body: string) => world.left.put(`${name}.ics`, `UID:${name}@x\n${body}`);
  put('secret', 'SUMMARY:Interview with Ada\nDTSTART:20270302T090000Z\nDTEND:20270302T100000Z');
  put('next', 'SUMMARY:Debrief\nDTSTART:20270302T100000Z\nDTEND:20270302T103000Z');
  put('free', 'SUMMARY:Lunch\nTRANSP:TRANSPARENT\nDTSTART:20270302T120000Z\nDTEND:20270302T130000Z');
  put('off', 'SUMMARY:Holiday\nDTSTART;VALUE=DATE:20270305\nDTEND;VALUE=DATE:20270307');
  put('weekly', 'SUMMARY:Standup\nDTSTART:20270303T080000Z\nDTEND:20270303T081500Z\nRRULE:FREQ=WEEKLY;COUNT=3');
  await world.pass();
  await world.pass();
});
afterAll(() => world.close());

async function addressOf(content: 'events' | 'busy'): Promise<string> {
  const { feeds } = await world.person.as(calendarContract).publishFeed({ params: { content } });
  const url = feeds.find((feed) => feed.content === content)?.url ?? '';
  return new URL(url).pathname;
}
const read = (url: string, headers: Record<string, string> = {}) => world.server.inject({ url, headers });
async function eventsOf(url: string) {
  const answer = await read(url);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8');
  const feed = parseFeed(answer.body, { selfAddresses: [], tags: await loadMirrorSigner(world.server.app) });
  if (!feed.ok) throw new Error(feed.reason);
  return [...feed.objects].map(({ body, provenance }) => {
    if (body.kind !== 'single') throw new Error(body.kind);
    const { when, core } = body;
    return {
      start: when.start,
      end: 'end' in when ? when.end : when.duration,
      title: core.title,
      busy: core.busy,
      provenance,
    };
  });
}

test('the events feed has each event once, however often it is mirrored, with the Holdfast tag', async () => {
  const events = await eventsOf(await addressOf('events'));
  expect(events.map((event) => [event.start, event.title, event.busy])).toEqual([
    ['2027-03-02T09:00:00', 'Interview with Ada', 'busy'],
    ['2027-03-02T10:00:00', 'Debrief', 'busy'],
    ['2027-03-02T12:00:00', 'Lunch', 'free'],
    ['2027-03-03T08:00:00', 'Standup', 'busy'],
    ['2027-03-05', 'Holiday', 'busy'],
    ['2027-03-10T08:00:00', 'Standup', 'busy'],
    ['2027-03-17T08:00:00', 'Standup', 'busy'],
  ]);
  expect(new Set(events.map((event) => event.provenance))).toEqual(new Set(['own']));
});

test('the busy feed shows times and no other details', async () => {
  const address = await addressOf('busy');
  const events = await eventsOf(address);
  expect(events.map((event) => [event.start, event.end])).toEqual([
    ['2027-03-02T09:00:00', { seconds: 5_400 }],
    ['2027-03-03T08:00:00', { seconds: 900 }],
    ['2027-03-05T00:00:00', { seconds: 172_800 }],
    ['2027-03-10T08:00:00', { seconds: 900 }],
    ['2027-03-17T08:00:00', { seconds: 900 }],
  ]);
  expect(new Set(events.map((event) => event.title))).toEqual(new Set(['Busy']));
  expect((await read(address)).body).not.toMatch(/Ada|Holiday|Standup|left/);
});

test('a conditional request for an unchanged feed returns 304', async () => {
  const address = await addressOf('busy');
  const first = await read(address);
  const again = await read(address, { 'if-none-match': String(first.headers.etag) });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe('');
});

test('a new feed address replaces the old one, and unpublishing ends the feed', async () => {
  const old = await addressOf('events');
  const address = await addressOf('events');
  expect((await read(old)).statusCode).toBe(404);
  expect((await read(address)).statusCode).toBe(200);
  const api = world.person.as(calendarContract);
  const { feeds } = await api.listPublishedFeeds();
  expect(feeds.find((feed) => feed.content === 'events')?.lastReadAt).not.toBeNull();
  await api.unpublishFeed({ params: { content: 'events' } });
  expect((await read(address)).statusCode).toBe(404);
});

test('CVE-2026-4807: a feed cannot be listed or unpublished by another person', async () => {
  await addressOf('busy');
  const other = await signUpUser(world.server, 'other@example.org');
  expect(await other.as(calendarContract).listPublishedFeeds()).toEqual({ available: true, feeds: [] });
  await other.as(calendarContract).unpublishFeed({ params: { content: 'busy' } });
  expect((await world.person.as(calendarContract).listPublishedFeeds()).feeds).toHaveLength(1);
});

test('a guessed feed address returns 404, and reads of a feed are rate limited', async () => {
  for (const file of ['x.ics', '.ics', `${'a'.repeat(43)}.ics`, `${'a'.repeat(43)}`, '..%2f..%2fetc']) {
    expect((await read(`/feeds/${file}`)).statusCode).toBe(404);
  }
  const address = await addressOf('busy');
  const statuses = await Promise.all(Array.from({ length: 70 }, async () => (await read(address)).statusCode));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(5);
  // a new address starts no new allowance
  expect((await read(await addressOf('busy'))).statusCode).toBe(429);
});

test.each(['events', 'busy'] as const)(
  'a feed with more than 10,000 events says that it is incomplete, and so do the settings: %s',
  async (content) => {
    const { db } = world.server.app;
    await sql`delete from platform.limits`.execute(db);
    const address = await addressOf(content);
    const isCut = async () => {
      const { feeds } = await world.person.as(calendarContract).listPublishedFeeds();
      return feeds.find((feed) => feed.content === content)?.isCut;
    };
    /** Properties of the calendar, which come before its first event (RFC 5545 3.4, RFC 7986 5.2). */
    const properties = async () => (await read(address)).body.split('BEGIN:VEVENT', 1)[0] ?? '';
    const incomplete =
      /\r\nDESCRIPTION:This calendar is incomplete\.[\s\S]*\r\nX-WR-CALDESC:This calendar is incomplete\./;
    expect(await properties()).not.toContain('incomplete');
    expect(await isCut()).toBe(false);
    // with the seven events of this calendar one more than there is room for
    await sql`
      insert into calendar.spans (user_id, calendar_id, item_id, rec_id, start_ms, end_ms, all_day, class)
      select s.user_id, s.calendar_id, s.item_id, 'n' || n, s.start_ms + n * 120000, s.start_ms + n * 120000 + 60000, false, 'busy'
      from calendar.spans s join calendar.items i on i.id = s.item_id, generate_series(1, 9994) n
      where s.user_id = ${world.person.userId} and i.provenance = 'foreign' and i.uid = 'secret@x'`.execute(db);
    expect(await properties()).toMatch(incomplete);
    expect(await isCut()).toBe(true);
    await sql`delete from calendar.spans where rec_id = 'n9994'`.execute(db);
    expect(await properties()).not.toContain('incomplete');
    expect(await isCut()).toBe(false);
    await sql`delete from calendar.spans where rec_id like 'n%'`.execute(db);
  },
);

test('a person who publishes a feed 15 times gets ten mails', async () => {
  const { db } = world.server.app;
  await sql`truncate platform.limits, platform.mails cascade`.execute(db);
  const publish = () => world.person.as(calendarContract).publishFeed({ params: { content: 'busy' } });
  const answers = await Promise.allSettled(Array.from({ length: 15 }, publish));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  for (const answer of answers)
    if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ status: 429, code: 'LIMITED' });
  const { rows } = await sql`select from platform.mails where recipient = ${world.person.email}`.execute(db);
  expect(rows).toHaveLength(10);
  await sql`truncate platform.limits`.execute(db);
});

test('a feed of a suspended person returns 503 with Retry-After, and works again afterwards', async () => {
  const url = await addressOf('events');
  const suspend = (at: unknown) =>
    sql`update accounts.users set suspended_at = ${at} where id = ${world.person.userId}`.execute(world.server.app.db);
  await suspend(sql`now()`);
  const answer = await read(url);
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '3600']);
  expect(answer.body).not.toContain('VEVENT');
  await suspend(null);
  expect((await read(url)).statusCode).toBe(200);
});
