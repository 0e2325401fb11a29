import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { applyChanges } from '#features/calendar/public.ts';
import { teamsContract } from '#features/teams/contract.ts';
import type { Item } from '#kernel/event.ts';
import type { CalendarId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount, type OwnedAccount } from '../../../test/harness/own-account.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { keepHosts } from '../booking/store/hosts.ts';
import { inboxContract } from './contract.ts';
import { refreshNotices } from './notices.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ role: 'web', clock: fixedClock('2027-03-01T09:00:00Z') });
});
afterAll(() => server.close());

interface Person {
  user: TestUser;
  owned: OwnedAccount;
}

let people = 0;
async function newPerson(): Promise<Person> {
  people += 1;
  const user = await signUpUser(server, `told${people}@example.org`);
  const owned = await insertOwnAccount(server, user);
  await sql`delete from sync.mirrors where user_id = ${user.userId}`.execute(server.app.db);
  return { user, owned };
}

const look = async ({ user }: Person) => {
  await refreshNotices(server.app, user.userId);
  return user.as(inboxContract).listNotices({});
};
const lasting = async (person: Person) => (await look(person)).notices.filter((notice) => !notice.over);

const setStatus = ({ owned }: Person, status: string) =>
  sql`update connections.connections set status = ${status}, status_message = 'Sign in again.'
    where id = ${owned.accountId}`.execute(server.app.db);

async function put(
  { user }: Person,
  calendarId: string,
  ref: string,
  start: string,
  title = ref,
  more: Partial<Item> = {},
) {
  const item: Item = {
    ref,
    uid: ref,
    version: '1',
    provenance: 'foreign',
    body: {
      kind: 'single',
      when: { kind: 'zoned', start: `${start}:00`, zone: 'UTC', duration: { seconds: 3600 } },
      core: { busy: 'busy', private: false, self: 'none', kind: 'default', title },
    },
    ...more,
  };
  const owner = { calendarId: calendarId as CalendarId, userId: user.userId, calendarZone: 'UTC', ownerZone: 'UTC' };
  await inTransaction(server.app.db, (tx) =>
    applyChanges(tx, owner, { items: [item], gone: [] }, server.app.clock.nowMs()),
  );
}

test('an account that needs reconnecting raises one notification, which ends when it works again', async () => {
  const person = await newPerson();
  await setStatus(person, 'needs-reconnect');
  const told = await look(person);
  expect(told).toMatchObject({
    unread: 1,
    notices: [{ kind: 'reconnect', read: false, over: false, details: { account: 'home', reason: 'Sign in again.' } }],
  });
  expect(await look(person)).toEqual(told);
  await setStatus(person, 'active');
  expect(await look(person)).toMatchObject({ unread: 0, notices: [{ over: true, read: false }] });
});

test('a notification that recurs within a day stays read, and a later one is unread', async () => {
  const person = await newPerson();
  await setStatus(person, 'needs-reconnect');
  await look(person);
  await person.user.as(inboxContract).markNotices({ body: { read: true } });
  await setStatus(person, 'active');
  await look(person);
  await setStatus(person, 'needs-reconnect');
  expect(await look(person)).toMatchObject({ unread: 0, notices: [{ read: true, over: false }] });
  await setStatus(person, 'active');
  await look(person);
  await sql`update inbox.notices set over_at = now() - interval '2 days' where user_id = ${person.user.userId}`.execute(
    server.app.db,
  );
  await setStatus(person, 'needs-reconnect');
  expect(await look(person)).toMatchObject({ unread: 1, notices: [{ read: false, over: false }] });
});

test('failing calendars, failed mirrors and paused deletions raise notifications', async () => {
  const person = await newPerson();
  const { db } = server.app;
  const { calendarId, otherCalendarId, accountId, itemId, groupId, mirrorId } = person.owned;
  await sql`update connections.calendars set failures = 3, error_message = 'It does not answer.' where id = ${calendarId}`.execute(
    db,
  );
  await sql`insert into sync.mirrors (id, user_id, origin_calendar_id, origin_item_id, origin_uid, target_calendar_id,
      target_connection_id, identity_key, state)
    values (${mirrorId}, ${person.user.userId}, ${calendarId}, ${itemId}, 'a', ${otherCalendarId}, ${accountId},
      ${mirrorId}, 'failed')`.execute(db);
  await sql`insert into sync.pairs (group_id, source_calendar_id, target_calendar_id, breaker, breaker_at, breaker_deletes)
    values (${groupId}, ${calendarId}, ${otherCalendarId}, 'open', now() - interval '6 minutes', 40)`.execute(db);
  const told = await lasting(person);
  expect(Object.fromEntries(told.map(({ kind, details }) => [kind, details]))).toEqual({
    calendar: { calendar: 'Home', reason: 'It does not answer.' },
    mirrors: { count: 1 },
    breaker: { source: 'Home', target: 'Home', count: 40 },
  });
});

test('a conflict between two calendars in the coming days keeps its notification until resolved', async () => {
  const person = await newPerson();
  const { calendarId, otherCalendarId } = person.owned;
  await put(person, calendarId, 'Team', '2027-03-03T10:00');
  await put(person, otherCalendarId, 'Dentist', '2027-03-03T10:30');
  await put(person, calendarId, 'Within one', '2027-03-03T10:15');
  const told = await lasting(person);
  const pairs = told.map(({ details }) => details.events?.map(({ title }) => title));
  expect(pairs).toHaveLength(2);
  expect(pairs).toEqual(
    expect.arrayContaining([
      ['Team', 'Dentist'],
      ['Within one', 'Dentist'],
    ]),
  );
  expect(told[0]).toMatchObject({
    kind: 'conflict',
    details: { events: [{ calendar: 'Home', day: '2027-03-03' }, {}] },
  });
  await put(person, otherCalendarId, 'Dentist', '2027-03-03T13:00');
  expect(await lasting(person)).toEqual([]);
});

test('a calendar that overlaps another one on every day raises one conflict notification', async () => {
  const person = await newPerson();
  const { calendarId, otherCalendarId } = person.owned;
  for (const day of [2, 3, 4, 5, 6]) {
    await put(person, calendarId, `Shift ${day}`, `2027-03-0${day}T10:00`);
    await put(person, otherCalendarId, `Class ${day}`, `2027-03-0${day}T10:30`);
  }
  const told = await lasting(person);
  expect(told).toMatchObject([
    {
      kind: 'conflict',
      details: { count: 5, events: [{ title: 'Shift 2', day: '2027-03-02' }, { title: 'Class 2' }] },
    },
  ]);
  await put(person, otherCalendarId, 'Class 6', '2027-03-06T15:00');
  const [now, ...others] = await lasting(person);
  expect([now?.id, now?.details.count, others]).toEqual([told[0]?.id, 4, []]);
});

test('distant dates, mirrors and copies of one event raise no conflict notification', async () => {
  const person = await newPerson();
  const { calendarId, otherCalendarId } = person.owned;
  await put(person, calendarId, 'far', '2027-03-20T10:00');
  await put(person, otherCalendarId, 'far too', '2027-03-20T10:00');
  await put(person, calendarId, 'origin', '2027-03-04T10:00');
  await put(person, otherCalendarId, 'block', '2027-03-04T10:00', 'Busy', { provenance: 'own' });
  await put(person, calendarId, 'here', '2027-03-05T10:00', 'All hands');
  await put(person, otherCalendarId, 'there', '2027-03-05T10:00', 'All hands');
  expect(await lasting(person)).toEqual([]);
});

test('a user who turned off sync errors gets notifications of conflicts only', async () => {
  const person = await newPerson();
  const { calendarId, otherCalendarId } = person.owned;
  await setStatus(person, 'needs-reconnect');
  await put(person, calendarId, 'Team', '2027-03-03T10:00');
  await put(person, otherCalendarId, 'Dentist', '2027-03-03T10:00');
  expect((await lasting(person)).map(({ kind }) => kind).toSorted()).toEqual(['conflict', 'reconnect']);
  const notifications = { syncErrors: false, bookingReminders: true, productUpdates: false };
  await person.user.as(accountsContract).changePreferences({ body: { notifications } });
  expect((await lasting(person)).map(({ kind }) => kind)).toEqual(['conflict']);
});

test('a change that could not be saved keeps its notification until dismissed', async () => {
  const person = await newPerson();
  const { db } = server.app;
  const { accountId, calendarId, itemId } = person.owned;
  const editId = randomUUIDv7();
  await sql`insert into edits.edits (id, user_id, connection_id, kind, state, calendar_id, item_id, item_ids, title,
      tell_guests, steps, message, created_ms)
    values (${editId}, ${person.user.userId}, ${accountId}, 'change', 'conflict', ${calendarId}, ${itemId}, '{}', 'Dentist',
      false, '[]', 'It was changed elsewhere.', 0)`.execute(db);
  expect(await lasting(person)).toMatchObject([
    { kind: 'edit', details: { title: 'Dentist', reason: 'It was changed elsewhere.' } },
  ]);
  await sql`update edits.edits set dismissed = true where id = ${editId}`.execute(db);
  expect(await lasting(person)).toEqual([]);
});

test('a team invitation notifies only the invited user, until it is answered', async () => {
  const [asked, owner] = [await newPerson(), await newPerson()];
  const teams = owner.user.as(teamsContract);
  const { team } = await teams.createTeam({ body: { name: 'Sales' } });
  const invite = { params: { teamId: team.id }, body: { email: asked.user.email, role: 'editor' as const } };
  await teams.inviteMember(invite);
  const told = await lasting(asked);
  expect(told).toMatchObject([{ kind: 'invitation', details: { team: 'Sales' } }]);
  expect(await lasting(owner)).toEqual([]);
  await teams.inviteMember(invite);
  expect(await lasting(asked)).toEqual(told);
  const [received] = (await asked.user.as(teamsContract).listTeams()).invitations;
  if (received === undefined) throw new Error('nobody was invited');
  await asked.user.as(teamsContract).acceptInvitation({ params: { invitationId: received.id } });
  expect(await lasting(asked)).toEqual([]);
});

test('a collective event type that goes on with fewer hosts notifies who manages it, until its hosts are chosen again', async () => {
  const [owner, ben, cem] = [await newPerson(), await newPerson(), await newPerson()];
  const all = [owner, ben, cem].map(({ user }) => ({ user }));
  const handle = 'panel';
  const teamId = await insertTeam(server, handle, all);
  const { typeId } = await insertTeamType(server, { teamId, handle }, all, { kind: 'collective' });
  expect(await lasting(owner)).toEqual([]);
  await sql`update accounts.users set suspended_at = now() where id = ${cem.user.userId}`.execute(server.app.db);
  const told = [{ kind: 'panel', details: { title: 'Demo', team: `Team ${handle}`, count: 1 } }];
  expect(await lasting(owner)).toMatchObject(told);
  expect(await lasting(ben)).toEqual([]);
  await sql`update accounts.users set suspended_at = null where id = ${cem.user.userId}`.execute(server.app.db);
  expect(await lasting(owner)).toEqual([]);
  await owner.user.as(teamsContract).removeMember({ params: { teamId, userId: ben.user.userId } });
  expect(await lasting(owner)).toMatchObject(told);
  const left = [owner, cem].map(({ user: { userId } }) => ({
    userId,
    weight: 1,
    priority: 2,
    optional: false,
    calibration: 0,
  }));
  await inTransaction(server.app.db, (tx) => keepHosts(tx, { id: typeId, teamId }, left, server.app.clock.nowMs()));
  expect(await lasting(owner)).toEqual([]);
});

test('notifications are marked read one by one or all at once, by their own user only', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  await setStatus(person, 'needs-reconnect');
  await put(person, person.owned.calendarId, 'Team', '2027-03-03T10:00');
  await put(person, person.owned.otherCalendarId, 'Dentist', '2027-03-03T10:00');
  const { notices } = await look(person);
  const inbox = person.user.as(inboxContract);
  const first = notices.slice(0, 1).map(({ id }) => id);
  expect(await other.user.as(inboxContract).markNotices({ body: { ids: first, read: true } })).toEqual({ unread: 0 });
  expect(await inbox.markNotices({ body: { ids: first, read: true } })).toEqual({ unread: 1 });
  expect(await inbox.markNotices({ body: { ids: first, read: false } })).toEqual({ unread: 2 });
  expect(await inbox.markNotices({ body: { read: true } })).toEqual({ unread: 0 });
  expect((await other.user.as(inboxContract).listNotices({})).notices).toEqual([]);
});

test('a changed notification is sent as a live update, and an unchanged one is not', async () => {
  const person = await newPerson();
  const heard = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from platform.feed
      where user_id = ${person.user.userId} and topic = 'inbox'`.execute(server.app.db);
    return rows[0]?.count;
  };
  await setStatus(person, 'needs-reconnect');
  await look(person);
  expect(await heard()).toBe(1);
  await look(person);
  expect(await heard()).toBe(1);
  await person.user.as(inboxContract).markNotices({ body: { read: true } });
  expect(await heard()).toBe(2);
});
