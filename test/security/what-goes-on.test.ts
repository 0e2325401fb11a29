import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accessContract } from '#features/access/contract.ts';
import { mintMailCode } from '#features/access/mail-codes.ts';
import { accountsContract } from '#features/accounts/contract.ts';
import { startDeletion } from '#features/accounts/deletion/public.ts';
import { setSuspension } from '#features/accounts/people/public.ts';
import { insertApiKey } from '#features/accounts/store/api-keys.ts';
import { bookingContract } from '#features/booking/contract.ts';
import { findPublicType } from '#features/booking/find-public-type.ts';
import { insertStandIn } from '#features/booking/store/stand-ins.ts';
import { calendarContract } from '#features/calendar/contract.ts';
import { teamsContract } from '#features/teams/contract.ts';
import { leaveAllTeams } from '#features/teams/members.ts';
import { workflowsContract } from '#features/workflows/contract.ts';
import type { Definition } from '#features/workflows/rules/definition.ts';
import { sendDue } from '#features/workflows/runs/sending.ts';
import type { EventTypeId, StepId, WorkflowId } from '#kernel/ids.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { insertTeam, insertTeamType } from '../harness/bookable-team.ts';
import { fixedClock } from '../harness/fixed-clock.ts';
import { proveGuests } from '../harness/prove-guests.ts';
import { readMails } from '../harness/read-mails.ts';
import { startTestApp, type TestApp } from '../harness/test-app.ts';
import { clientOf, signUpUser, type TestUser } from '../harness/test-client.ts';

/** Ongoing configuration of a person who is suspended, leaves, or is inactive. */

const start = '2027-03-01T08:00:00Z';
const clock = fixedClock(start);
const minute = 60_000;
const monday = Date.UTC(2027, 2, 8, 15) / minute;
const newPassword = 'a-long-and-unusual-sentence-4711';

let server: TestApp;
let olga: TestUser;
let eve: TestUser;
let made: Awaited<ReturnType<typeof setUp>>;
let count = 0;

beforeAll(async () => {
  server = await startTestApp({ clock, role: 'web' });
  olga = await signUpUser(server, 'olga@example.org');
  await proveGuests(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  clock.set(start);
  await sql`truncate platform.limits`.execute(server.app.db);
  await sql`truncate booking.appointments cascade`.execute(server.app.db);
  count += 1;
  eve = await signUpUser(server, `eve-${count}@example.org`);
  made = await setUp();
});

const mailTo = (to: string, subject: string) => ({
  id: randomUUID() as StepId,
  action: { kind: 'send-email' as const, to, subject, body: '{guest_name} {guest_email}', ics: false },
});
const definition = (...steps: Definition['steps']): Definition => ({
  trigger: 'booking-created',
  offset: { amount: 0, unit: 'minutes' },
  filter: { event_type_ids: null },
  if_past: 'skip',
  if_late: 'send',
  quiet_hours: null,
  steps,
});

/** Eve, an editor, makes one of each in the team of Olga, who hosts its bookings. */
async function setUp() {
  const handle = `team-${count}`;
  const teamId = await insertTeam(server, handle, [{ user: olga }, { user: eve, role: 'editor' }]);
  const { path, typeId } = await insertTeamType(server, { teamId, handle }, [{ user: olga }], {
    kind: 'round-robin',
  });
  const steps = [mailTo(eve.email, 'To the maker'), mailTo('host', 'To the host'), mailTo('guest', 'To the guest')];
  const { workflow } = await eve
    .as(workflowsContract)
    .createWorkflow({ body: { name: 'All', team_id: teamId, definition: definition(...steps) } });
  const { link } = await eve
    .as(bookingContract)
    .createBookingLink({ body: { kind: 'private', event_type_id: typeId, uses: null, expires_at: null } });
  const feedUrl = await publish(eve);
  const key = `hfk_${randomUUID()}`;
  await inTransaction(server.app.db, async (tx) => {
    const row = { id: randomUUID(), userId: eve.userId, name: 'k', tokenHash: hashToken(key), masked: 'hfk', days: 90 };
    await insertApiKey(tx, { ...row, scopes: ['read', 'write'], secondFactor: false });
    const nowMs = clock.nowMs();
    const stand = { teamId, userId: eve.userId, toUserId: olga.userId, fromMs: nowMs, untilMs: nowMs + 86_400_000 };
    await insertStandIn(tx, { id: randomUUID(), ...stand });
  });
  return { teamId, path, typeId, workflowId: workflow.id, link, feedUrl, key };
}

async function publish(user: TestUser): Promise<string> {
  const { feeds } = await user.as(calendarContract).publishFeed({ params: { content: 'events' } });
  return new URL(feeds[0]?.url ?? '').pathname;
}

async function book(path: string): Promise<string> {
  const email = `guest-${randomUUID()}@example.net`;
  const response = await server.inject({
    method: 'POST',
    url: `${path}/bookings`,
    payload: { start: monday, name: 'Gus Guest', email, zone: 'UTC', language: 'en' },
  });
  expect(response.statusCode, response.body).toBe(201);
  await sendDue(server.app, 'mail', new AbortController().signal);
  return email;
}
const stepMails = async (address: string, subject: string) =>
  (await readMails(server, address)).filter((mail) => mail.kind === 'workflows.step' && mail.subject === subject);

const members = () => olga.as(teamsContract);
const tx = <Result>(act: Parameters<typeof inTransaction<Result>>[1]) => inTransaction(server.app.db, act);

async function resetPassword(): Promise<void> {
  const asked = { userId: eve.userId, email: eve.email, purpose: 'reset' as const };
  const { link } = await tx((one) => mintMailCode(server.app, one, asked));
  const code = new URL(link).searchParams.get('code') ?? '';
  await clientOf(server, accessContract).resetPassword({ body: { email: eve.email, code, new_password: newPassword } });
}

/** A row for each thing; `mails` are those to the maker, about a booking of the team. */
const goesOn = { mails: 1, owner: 'eve', feed: 200, key: 200, links: 1, standIns: 1 };
const inTeamNoMore = { ...goesOn, mails: 0, owner: 'olga', links: 0 };
const events = [
  ['leaves the team', () => eve.as(teamsContract).removeMember(memberOf()), { ...inTeamNoMore, standIns: 0 }],
  ['is removed from the team', () => members().removeMember(memberOf()), { ...inTeamNoMore, standIns: 0 }],
  [
    'is demoted to viewer',
    () => members().changeMemberRole({ ...memberOf(), body: { role: 'viewer' } }),
    { ...inTeamNoMore },
  ],
  [
    'is suspended',
    () => tx((one) => setSuspension(server.app, one, eve.userId, true)),
    { ...goesOn, mails: 0, owner: 'olga', feed: 503, key: 401 },
  ],
  [
    'has the account deleted',
    async () => {
      await tx((one) => startDeletion(server.app, one, eve.userId, null));
      await leaveAllTeams(server.app, eve.userId);
    },
    { ...inTeamNoMore, feed: 404, key: 401, standIns: 0 },
  ],
  ['resets the password', () => resetPassword(), { ...goesOn, feed: 404, key: 401 }],
  [
    'ends all sessions',
    () => eve.as(accountsContract).logoutEverywhere({ body: { includingThis: true } }),
    { ...goesOn },
  ],
  [
    'ends all sessions with keys and feeds',
    () => eve.as(accountsContract).logoutEverywhere({ body: { includingThis: true, end_keys: true } }),
    { ...goesOn, feed: 404, key: 401 },
  ],
] as const;
test.each(events)('what a person set up, when the person %s', async (_what, act, expected) => {
  await act();
  const guest = await book(made.path);
  const { rows } = await sql<{ owner: string }>`
    select user_id as owner from workflows.workflows where id = ${made.workflowId}`.execute(server.app.db);
  const counted = await sql<{ links: number; standIns: number }>`
    select (select count(*)::int from booking.links where user_id = ${eve.userId}) as links,
      (select count(*)::int from booking.stand_ins where user_id = ${eve.userId}) as "standIns"`.execute(server.app.db);
  const headers = { authorization: `Bearer ${made.key}` };
  expect({
    mails: (await stepMails(eve.email, 'To the maker')).length,
    owner: rows[0]?.owner === olga.userId ? 'olga' : 'eve',
    feed: (await server.inject({ url: made.feedUrl })).statusCode,
    key: (await server.inject({ url: '/api/account/profile', headers })).statusCode,
    ...counted.rows[0],
  }).toEqual(expected);
  // the team loses nothing: its host and its guest are told, and its owner has the private link
  expect(await stepMails(guest, 'To the guest')).toHaveLength(1);
  expect((await stepMails(olga.email, 'To the host')).length).toBeGreaterThan(0);
  expect(await findPublicType(server.app, { token: made.link.url.split('/l/')[1] ?? '' })).not.toBeNull();
  const { links } = await olga.as(bookingContract).listBookingLinks({ query: { event_type_id: made.typeId } });
  expect(links.map(({ id }) => id)).toEqual([made.link.id]);
  await olga.as(bookingContract).deleteBookingLink({ params: { id: made.link.id } });
  expect(await findPublicType(server.app, { token: made.link.url.split('/l/')[1] ?? '' })).toBeNull();
});

const memberOf = () => ({ params: { teamId: made.teamId, userId: eve.userId } });

test('a named address that agreed gets no mails about a team once its reader has no right there', async () => {
  // Olga names Eve, who agreed with the code
  await sql`insert into workflows.addresses (user_id, address, asked_ms, confirmed_ms)
    values (${olga.userId}, ${eve.email}, 0, 1)`.execute(server.app.db);
  const { workflow } = await olga.as(workflowsContract).createWorkflow({
    body: { name: 'Named', team_id: made.teamId, definition: definition(mailTo(eve.email, 'Named')) },
  });
  await book(made.path);
  const [mail] = await stepMails(eve.email, 'Named');
  expect(JSON.stringify(mail?.content)).toContain('You agreed to it with a code');
  await members().changeMemberRole({ ...memberOf(), body: { role: 'viewer' } });
  await sql`truncate booking.appointments cascade`.execute(server.app.db);
  await book(made.path);
  expect(await stepMails(eve.email, 'Named')).toHaveLength(1);
  const { runs } = await olga
    .as(workflowsContract)
    .listWorkflowRuns({ params: { id: workflow.id as WorkflowId }, query: {} });
  expect(runs.map(({ state, reason }) => [state, reason])).toContainEqual(['skipped', 'no-right']);
});

test('the footer of a workflow mail is true for the maker, for a host of the team and for a guest', async () => {
  const guest = await book(made.path);
  const footer = async (address: string, subject: string) =>
    JSON.stringify((await stepMails(address, subject)).at(-1)?.content);
  const [maker, host, toGuest] = await Promise.all([
    footer(eve.email, 'To the maker'),
    footer(olga.email, 'To the host'),
    footer(guest, 'To the guest'),
  ]);
  expect(maker).toContain('one of your workflows');
  expect(host).toContain('a workflow of your team');
  expect(toGuest).toContain('This address was entered when booking');
  for (const one of [maker, host, toGuest]) expect(one).not.toContain('with a code');
});

test('a viewer neither sees nor ends the private links of a team', async () => {
  await members().changeMemberRole({ ...memberOf(), body: { role: 'viewer' } });
  const links = eve.as(bookingContract);
  expect((await links.listBookingLinks({ query: { event_type_id: made.typeId as EventTypeId } })).links).toEqual([]);
  await expect(links.deleteBookingLink({ params: { id: made.link.id } })).rejects.toMatchObject({ status: 404 });
});

test('a published feed needs a recent proof to be made, renewed and shown, and is told by mail and trail', async () => {
  const feeds = eve.as(calendarContract);
  expect((await feeds.listPublishedFeeds({ query: {} })).feeds).toMatchObject([{ content: 'events', url: null }]);
  const shown = await feeds.listPublishedFeeds({ query: { addresses: '1' } });
  expect(shown.feeds[0]?.url).toContain(made.feedUrl);
  const [mail] = (await readMails(server, eve.email)).filter(({ kind }) => kind === 'accounts.feed-published');
  expect(JSON.stringify(mail?.content)).toContain('All events');
  await sql`update accounts.sessions set authenticated_at = now() - interval '1 hour'
    where user_id = ${eve.userId}`.execute(server.app.db);
  const needsProof = { status: 403, code: 'REAUTHENTICATE' };
  await expect(feeds.publishFeed({ params: { content: 'busy' } })).rejects.toMatchObject(needsProof);
  await expect(feeds.publishFeed({ params: { content: 'events' } })).rejects.toMatchObject(needsProof);
  await expect(feeds.listPublishedFeeds({ query: { addresses: '1' } })).rejects.toMatchObject(needsProof);
  // a key, with the right to write or without, never counts as a proof
  const headers = { authorization: `Bearer ${made.key}` };
  const byKey = await server.inject({ url: '/api/published-feeds', headers });
  expect([byKey.statusCode, byKey.body.includes(made.feedUrl)]).toEqual([200, false]);
  for (const [method, url] of [
    ['GET', '/api/published-feeds?addresses=1'],
    ['PUT', '/api/published-feeds/events'],
  ] as const)
    expect((await server.inject({ method, url, headers })).statusCode, url).toBe(403);
  // ending one needs no proof
  await feeds.unpublishFeed({ params: { content: 'events' } });
  expect((await server.inject({ url: made.feedUrl })).statusCode).toBe(404);
  const { entries } = await eve.as(accountsContract).readTrail({ query: {} });
  expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['feed-published', 'feed-ended']));
});

test('the mail about a reset password says what ended and what goes on', async () => {
  await resetPassword();
  const [mail] = (await readMails(server, eve.email)).filter(({ kind }) => kind === 'access.password-reset');
  const said = JSON.stringify(mail?.content);
  expect(said).toContain('API keys and published calendar feeds were revoked');
  expect(said).toContain('workflows, private booking links, and stand-ins stay');
});
