import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attendee, Core, EventBody, Item } from '#kernel/event.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount, type OwnedAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import type { Actor } from '../../platform/actor.ts';
import { accountsContract } from '../accounts/contract.ts';
import { applyChanges } from '../calendar/apply-changes.ts';
import { meetingsContract } from './contract.ts';
import { listMeetings } from './meetings.ts';

let server: TestApp;
let person: TestUser;
let owned: OwnedAccount;
const clock = fixedClock('2027-03-01T09:00:00Z');
const zone = 'America/New_York';

const priya: Attendee = { email: 'priya@raman.example', name: 'Priya Raman', response: 'accepted' };
const jonas: Attendee = { email: 'jonas@weber.example' };
const core = (title: string, more: Partial<Core> = {}): Core => ({
  busy: 'busy',
  private: false,
  self: 'none',
  kind: 'default',
  title,
  attendees: [priya],
  ...more,
});
const single = (title: string, start: string, more: Partial<Core> = {}): EventBody => ({
  kind: 'single',
  when: { kind: 'zoned', start, zone: 'UTC', duration: { seconds: 1800 } },
  core: core(title, more),
});
const item = (ref: string, body: EventBody, more: Partial<Item> = {}): Item => ({
  ref,
  uid: `${ref}@x`,
  version: '1',
  provenance: 'foreign',
  body,
  ...more,
});
const weekly: EventBody = {
  kind: 'series',
  when: { kind: 'zoned', start: '2027-02-24T15:00:00', zone: 'UTC', duration: { seconds: 900 } },
  core: core('Weekly', { attendees: [jonas, priya] }),
  rules: ['FREQ=WEEKLY;COUNT=4'],
  exRules: [],
  extraDates: [],
  exdates: [],
  overrides: {
    '20270310T150000Z': {
      when: { kind: 'zoned', start: '2027-03-10T16:00:00', zone: 'UTC', duration: { seconds: 900 } },
      core: core('Weekly, alone', { attendees: [] }),
    },
  },
};

beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock });
  person = await signUpUser(server, 'person@example.org');
  await person.as(accountsContract).changePreferences({ body: { timezone: zone } });
  owned = await insertOwnAccount(server, person);
  await store(owned.calendarId, [
    item('review', single('Review', '2027-03-02T04:30:00', { joinUrl: 'https://meet.example/1' })),
    item('intro', single('Intro call', '2027-03-03T14:00:00', { attendees: [jonas], self: 'tentative' })),
    item('now', single('Going on', '2027-03-01T08:45:00')),
    item('past', single('Retro', '2027-02-20T15:00:00')),
    item('alone', single('Focus', '2027-03-02T15:00:00', { attendees: [] })),
    item('sly', single('"attendees":[{', '2027-03-02T16:00:00', { attendees: [] })),
    item('block', single('Busy', '2027-03-02T15:00:00'), { provenance: 'own' }),
    item('weekly', weekly),
  ]);
  await store(owned.otherCalendarId, [
    item('other', {
      kind: 'single',
      when: { kind: 'all-day', start: '2027-03-05', end: '2027-03-06' },
      core: core('Offsite'),
    }),
  ]);
});
afterAll(() => server.close());

async function store(calendarId: string, items: Item[]): Promise<void> {
  const owner = { calendarId: calendarId as CalendarId, userId: person.userId, calendarZone: 'UTC', ownerZone: zone };
  await inTransaction(server.app.db, (tx) => applyChanges(tx, owner, { items, gone: [] }, clock.nowMs()));
}

async function mirror(ref: string, state: string, recId = '', target = owned.otherCalendarId): Promise<void> {
  await sql`
    insert into sync.mirrors (id, user_id, origin_calendar_id, origin_item_id, origin_uid, rec_id, target_calendar_id,
      target_connection_id, identity_key, state, near_ms)
    select gen_random_uuid(), user_id, calendar_id, id, uid, ${recId}, ${target}, ${owned.accountId}, gen_random_uuid(), ${state},
      (select count(*) from sync.mirrors)
    from calendar.items where ref = ${ref}`.execute(server.app.db);
}

const ask = (
  query: Omit<Parameters<ReturnType<typeof api>['listMeetings']>[0]['query'], 'scope'> & {
    scope?: 'upcoming' | 'past' | 'mirrors';
  },
) => api().listMeetings({ query: { scope: 'upcoming', ...query } });
const api = () => person.as(meetingsContract);
const titles = async (query: Parameters<typeof ask>[0]) => {
  const { upcoming, past, mirrors } = await ask(query);
  return [...upcoming, ...past].map((row) => row.eventType).concat(mirrors.map((row) => row.title));
};

test('a meeting is an instance with another attendee, neither an event without guests nor a mirror', async () => {
  const { counts, upcoming } = await ask({});
  expect(upcoming.map((row) => `${row.date} ${row.time} ${row.eventType}`)).toEqual([
    '2027-03-01 03:45 Going on',
    // the evening before, where its owner is
    '2027-03-01 23:30 Review',
    '2027-03-03 09:00 Intro call',
    '2027-03-03 10:00 Weekly',
    '2027-03-05 null Offsite',
    '2027-03-17 11:00 Weekly',
  ]);
  expect(counts).toMatchObject({ upcoming: 6, past: 2 });
  expect(await titles({ scope: 'past' })).toEqual(['Weekly', 'Retro']);
});

test('a meeting shows its invitee, status, origin and whether it can be edited', async () => {
  const { upcoming } = await ask({ search: 'review' });
  expect(upcoming).toMatchObject([
    {
      invitee: 'Priya Raman',
      email: 'priya@raman.example',
      invitees: [{ name: 'Priya Raman', email: 'priya@raman.example', response: 'accepted' }],
      status: 'Confirmed',
      origin: { provider: 'caldav', account: 'home', subcalendar: 'Home', calendar_id: owned.calendarId },
      targets: 1,
      meetingLink: 'https://meet.example/1',
      editable: true,
      is_mirror: false,
    },
  ]);
  expect((await ask({ search: 'intro' })).upcoming[0]).toMatchObject({
    invitee: 'jonas@weber.example',
    status: 'Tentative',
    not_editable_reason: 'invited',
  });
  expect((await ask({ scope: 'past', search: 'retro' })).past[0]?.status).toBe('Completed');
});

test('meetings are filtered and sorted by the query parameters', async () => {
  expect(await titles({ calendar: owned.otherCalendarId })).toEqual(['Offsite']);
  expect(await titles({ provider: 'google' })).toEqual([]);
  expect(await titles({ from: '2027-03-03', to: '2027-03-05' })).toEqual(['Intro call', 'Weekly', 'Offsite']);
  expect(await titles({ to: '2027-03-01' })).toEqual(['Going on', 'Review']);
  expect(await titles({ sort: 'title', order: 'desc', to: '2027-03-03' })).toEqual([
    'Weekly',
    'Review',
    'Intro call',
    'Going on',
  ]);
  expect(await titles({ search: '%' })).toEqual([]);
  const { upcoming, pages, matching } = await ask({ page: '2' });
  expect([upcoming, pages, matching]).toEqual([[], 1, 6]);
});

test("a meeting's mirror health counts the mirrors of its instance and is a filter", async () => {
  await mirror('review', 'failed');
  await mirror('intro', 'created');
  await mirror('weekly', 'created');
  await mirror('weekly', 'pending', '20270317T150000Z');
  await mirror('past', 'skipped');
  const { upcoming } = await ask({ search: 'weekly' });
  expect(upcoming.map((row) => row.mirrorHealth)).toEqual([
    { total: 1, created: 1, pending: 0, failed: 0, skipped: 0 },
    { total: 1, created: 0, pending: 1, failed: 0, skipped: 0 },
  ]);
  expect(await titles({ health: 'failed' })).toEqual(['Review']);
  expect(await titles({ health: 'pending' })).toEqual(['Weekly']);
  expect(await titles({ health: 'synced' })).toEqual(['Intro call', 'Weekly']);
  expect(await titles({ health: 'none' })).toEqual(['Going on', 'Offsite']);
  expect(await titles({ sort: 'health' })).toEqual(['Review', 'Weekly', 'Intro call', 'Weekly', 'Going on', 'Offsite']);
});

test('mirrors show the time of their instance, failed ones first', async () => {
  const { mirrors, counts } = await ask({ scope: 'mirrors' });
  expect(counts).toMatchObject({ failed: 2, pending: 1, created: 2, skipped: 1, mirrors: 6 });
  expect(mirrors.map((row) => `${row.status} ${row.title} ${row.date}`)).toEqual([
    'failed Dentist null',
    'failed Review 2027-03-01',
    'pending Weekly 2027-03-17',
    'created Intro call 2027-03-03',
    'created Weekly 2027-03-03',
    'skipped Retro 2027-02-20',
  ]);
  expect(await titles({ scope: 'mirrors', status: 'created', sort: 'title' })).toEqual(['Intro call', 'Weekly']);
  expect(await titles({ scope: 'mirrors', search: 'retro' })).toEqual(['Retro']);
  expect(await titles({ scope: 'mirrors', calendar: owned.calendarId })).toEqual([]);
  expect((await titles({ scope: 'mirrors', sort: 'date' })).at(0)).toBe('Retro');
});

test("meetings of another user are refused and absent from a user's own list", async () => {
  const stranger = await signUpUser(server, 'stranger@example.org');
  const foreign = stranger.as(meetingsContract).listMeetings({ query: { scope: 'upcoming', user_id: person.userId } });
  await expect(foreign).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
  await expect(
    stranger.as(meetingsContract).listMeetings({ query: { scope: 'upcoming', user_id: stranger.userId } }),
  ).resolves.toMatchObject({ upcoming: [], counts: { upcoming: 0, past: 0, mirrors: 0 } });
  expect((await ask({ user_id: person.userId })).upcoming).toHaveLength(6);
});

test('a page of meetings takes the same number of queries with many rows as with one', async () => {
  const queriesFor = async (scope: 'upcoming' | 'mirrors', search: string) => {
    let queries = 0;
    const db = server.app.db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const query = { scope, search };
    await listMeetings({ ...server.app, db }, { userId: person.userId } as Actor, query as never);
    return queries;
  };
  const meetings = await queriesFor('upcoming', 'Review');
  expect(meetings).toBeGreaterThan(5);
  expect(await queriesFor('upcoming', '')).toBe(meetings);
  expect(await queriesFor('mirrors', '')).toBe(await queriesFor('mirrors', 'Review'));
});

test('filtered meetings are exported as CSV with spreadsheet formulas neutralized', async () => {
  await store(owned.calendarId, [item('evil', single('=HYPERLINK("https://x","y")', '2027-03-20T15:00:00'))]);
  const answer = await server.inject({
    url: `/api/meetings/export?scope=upcoming&from=2027-03-17`,
    headers: { authorization: `Bearer ${person.token}` },
  });
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toBe('attachment; filename="meetings-upcoming-2027-03-01.csv"');
  const lines = answer.body.replace('\uFEFF', '').trimEnd().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain('Weekly,Confirmed,jonas@weber.example');
  expect(lines[2]).toContain(`"'=HYPERLINK(""https://x"",""y"")"`);
  const stranger = await signUpUser(server, 'stranger2@example.org');
  const theirs = await server.inject({
    url: '/api/meetings/export?scope=upcoming',
    headers: { authorization: `Bearer ${stranger.token}` },
  });
  expect(theirs.body.trimEnd().split('\r\n')).toHaveLength(1);
});

test('a bulk resync handles each event once and is limited to once a minute', async () => {
  const { upcoming } = await ask({ search: 'review' });
  const id = (title: string) => upcoming.find((row) => row.eventType === title)?.item_id ?? '';
  const lunch = (await ask({ search: 'offsite' })).upcoming[0]?.item_id ?? '';
  const stranger = await signUpUser(server, 'stranger3@example.org');
  const eventIds = [id('Review'), id('Review'), lunch];
  const foreign = await stranger.as(meetingsContract).resyncMany({ body: { event_ids: eventIds } });
  expect(foreign).toMatchObject({ pending: 0, queued: [], limited: [] });
  const first = await api().resyncMany({ body: { event_ids: eventIds } });
  expect(first).toEqual({ pending: 1, queued: [id('Review')], limited: [], nothing: [lunch] });
  expect((await ask({ search: 'review' })).upcoming[0]?.mirrorHealth).toMatchObject({ pending: 1, failed: 0 });
  const second = await api().resyncMany({ body: { event_ids: eventIds } });
  expect(second).toEqual({ pending: 0, queued: [], limited: [id('Review'), lunch], nothing: [] });
  await expect(api().resyncMirrors({ params: { eventId: id('Review') } })).rejects.toMatchObject({ status: 429 });
  const { logs } = await api().readAudit({ params: { id: id('Review') } });
  expect(logs).toMatchObject([{ type: 'mirror.retry', actor: 'user', target: 'Home' }]);
});
