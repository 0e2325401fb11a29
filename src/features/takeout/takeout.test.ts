import { unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentHash } from '#kernel/event-hash.ts';
import { normaliseBody, type WritableBody } from '#kernel/ical/normalise-body.ts';
import { parseFeed } from '#kernel/ical/parse-feed.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { accountsContract } from '../accounts/contract.ts';
import { calendarContract } from '../calendar/contract.ts';
import { listItems } from '../calendar/public.ts';
import { connectionsContract } from '../connections/contract.ts';
import { takeoutContract } from './contract.ts';
import { sweepJob } from './jobs.ts';

let world: SyncWorld;
let stranger: TestUser;
beforeAll(async () => {
  world = await startSyncWorld();
  const { left, right, person, server } = world;
  left.put(
    'single.ics',
    'UID:single@x\nSUMMARY:Lunch\\, late; "with" = signs\nDTSTART:20270302T150000Z\nDTEND:20270302T160000Z',
  );
  left.put(
    'series.ics',
    'BEGIN:VEVENT\nUID:series@x\nSUMMARY:Standup\nDTSTART;TZID=Europe/Berlin:20270301T090000\nDTEND;TZID=Europe/Berlin:20270301T091500\nRRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=40\nEXDATE;TZID=Europe/Berlin:20270303T090000\nEND:VEVENT\nBEGIN:VEVENT\nUID:series@x\nRECURRENCE-ID;TZID=Europe/Berlin:20270308T090000\nSUMMARY:Standup, later\nDTSTART;TZID=Europe/Berlin:20270308T110000\nDTEND;TZID=Europe/Berlin:20270308T111500\nEND:VEVENT',
  );
  left.put('days.ics', 'UID:days@x\nSUMMARY:Away\nDTSTART;VALUE=DATE:20270310\nDTEND;VALUE=DATE:20270312');
  right.put('other.ics', 'UID:other@x\nSUMMARY:Other\nDTSTART:20270304T150000Z\nDTEND:20270304T160000Z');
  await world.pass();
  await person.as(accountsContract).changeProfile({ body: { name: 'Ada Export', phone: '+44 20' } });
  await person.as(calendarContract).publishFeed({ params: { content: 'events' } });
  const { db } = server.app;
  await sql`insert into holds.holds (id, user_id, calendar_id, title, rank, range, home_start_ms, home_end_ms, start_ms,
      end_ms, state, created_ms)
    values (gen_random_uuid(), ${person.userId}, ${left.calendarId}, 'Deep work', 4, '{"kind":"day"}', 1, 2, 1, 2, 'held', 0)`.execute(
    db,
  );
  await sql`insert into booking.preventions (host_id, item_id, rec_id, kind, calendar_id, start_ms, end_ms, at_ms)
    values (${person.userId}, gen_random_uuid(), '', 'rejected', ${left.calendarId}, 1, 2, 1)`.execute(db);
  stranger = await signUpUser(server, 'stranger-canary@example.org');
  await stranger.as(connectionsContract).connectOwn();
});
afterAll(() => world.close());

const api = (person = world.person) => person.as(takeoutContract);
const download = (exportId: string, person: TestUser = world.person) =>
  world.server.inject({
    url: `/api/account/export/${exportId}/file`,
    headers: { authorization: `Bearer ${person.token}` },
  });

async function make() {
  await api().startExport();
  await expect.poll(async () => (await api().readExport()).export?.state).toBe('ready');
  const { export: made } = await api().readExport();
  if (made === null) throw new Error('there is no export');
  return made;
}

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

test('a data export holds all data of its user, no secret, and nothing of other users', async () => {
  const made = await make();
  expect(made.done).toBe(made.total);
  const answer = await download(made.id);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': expect.stringMatching(/^attachment; filename="holdfast-\d{4}-\d\d-\d\d\.zip"$/),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.rawPayload.byteLength).toBe(made.sizeBytes);
  const files = unzipSync(answer.rawPayload);
  expect(Object.keys(files).toSorted()).toEqual([
    'README.txt',
    'account.json',
    'api-keys.json',
    'audit.json',
    'availability.json',
    'billing.json',
    'blocks.json',
    'booking-questions.json',
    'bookings.json',
    'calendars.json',
    'calendars/01-left-work.ics',
    'calendars/01-left-work.json',
    'calendars/02-right-work.ics',
    'calendars/02-right-work.json',
    'connections.json',
    'contacts.json',
    'daily-figures.json',
    'devices.json',
    'event-types.json',
    'first-steps.json',
    'holds.json',
    'mirror-groups.json',
    'preventions.json',
    'published-feeds.json',
    'routing-decisions.json',
    'routing-forms.json',
    'routing-submissions.json',
    'security-trail.json',
    'sessions.json',
    'sync-settings.json',
    'teams.json',
    'text-message-consents.json',
    'unwritten-edits.json',
    'ways-to-sign-in.json',
    'workflow-accounts.json',
    'workflow-addresses.json',
    'workflow-runs.json',
    'workflow-stopped-addresses.json',
    'workflows.json',
  ]);
  const json = (name: string) => JSON.parse(textOf(files[name]));
  expect(json('account.json')).toMatchObject({ email: world.person.email, name: 'Ada Export', phone: '+44 20' });
  expect(json('connections.json')).toHaveLength(2);
  expect(json('blocks.json').length).toBeGreaterThan(3);
  expect(json('audit.json').length).toBeGreaterThan(3);
  expect(json('calendars/01-left-work.json')).toHaveLength(3);
  expect(json('holds.json')).toMatchObject([{ title: 'Deep work', state: 'held', history: [] }]);
  expect(json('preventions.json')).toMatchObject([{ kind: 'rejected' }]);
  expect(json('booking-questions.json')).toEqual([]);
  expect(json('security-trail.json').at(-1)).toMatchObject({ kind: 'data-exported' });

  const all = Object.values(files).map(textOf).join('\n');
  const { app } = world.server;
  const { rows } = await sql<{ secret: string }>`
    select secret from connections.connections where secret is not null
    union select encode(token_hash, 'hex') from accounts.sessions union select hash from access.passwords
    union select token from calendar.published_feeds union select encode(token_hash, 'hex') from calendar.published_feeds`.execute(
    app.db,
  );
  const { feeds } = await world.person.as(calendarContract).listPublishedFeeds({ query: { addresses: '1' } });
  const feedToken = /\/feeds\/([^/.]+)/.exec(feeds[0]?.url ?? '')?.[1] ?? 'none';
  const secrets = [...rows.map((row) => row.secret), feedToken, world.person.token, 'stranger-canary', stranger.userId];
  expect(secrets.length).toBeGreaterThan(7);
  for (const secret of secrets) expect(all.includes(secret), secret).toBe(false);
});

test('exported calendars parse back to the same events', async () => {
  const files = unzipSync((await download((await make()).id)).rawPayload);
  const items = await listItems(world.server.app.db, [world.left.calendarId as CalendarId], {
    after: '00000000-0000-0000-0000-000000000000',
    limit: 100,
  });
  const feed = parseFeed(files['calendars/01-left-work.ics'] ?? '', {
    selfAddresses: [],
    tags: { verify: () => false },
  });
  if (!feed.ok) throw new Error(feed.reason);
  expect(feed).toMatchObject({ complete: true, warnings: [], count: 3 });
  const read = new Map([...feed.objects].map((object) => [object.uid, object]));
  for (const item of items) {
    const again = read.get(item.uid ?? '');
    expect(again?.warnings ?? []).toEqual([]);
    expect(again?.body).toEqual(normaliseBody(item.body as WritableBody));
    expect(contentHash(again?.body as WritableBody)).toBe(contentHash(normaliseBody(item.body as WritableBody)));
  }
  expect(items).toHaveLength(3);
});

test('a data export needs a recent proof, is downloadable by its user only, and replaces the previous one', async () => {
  const made = await make();
  expect((await download(made.id, stranger)).statusCode).toBe(404);
  expect((await stranger.as(takeoutContract).readExport()).export).toBeNull();
  expect((await world.server.inject({ url: `/api/account/export/${made.id}/file` })).statusCode).toBe(401);
  const next = await make();
  expect((await download(made.id)).statusCode).toBe(404);
  await sql`update accounts.sessions set authenticated_at = now() - interval '11 minutes'`.execute(world.server.app.db);
  await expect(api().startExport()).rejects.toMatchObject({ status: 403, code: 'REAUTHENTICATE' });
  await sql`update accounts.sessions set authenticated_at = now()`.execute(world.server.app.db);
  expect((await download(next.id)).statusCode).toBe(200);
});

test('a data export and its file expire after a day', async () => {
  const { id } = await make();
  const { db, log } = world.server.app;
  await sql`update takeout.exports set expires_at = now() - interval '1 second'`.execute(db);
  expect((await download(id)).statusCode).toBe(404);
  expect((await api().readExport()).export).toBeNull();
  await sweepJob.handle(world.server.app, {}, AbortSignal.timeout(5_000), { id: 'x', attempt: 0, isLast: false, log });
  const { rows } = await sql`select from takeout.chunks`.execute(db);
  expect(rows).toEqual([]);
});
