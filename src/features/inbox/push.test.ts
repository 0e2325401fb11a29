import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accountsContract } from '#features/accounts/contract.ts';
import { openSession } from '#features/accounts/sessions/public.ts';
import { createLog } from '#platform/log.ts';
import { dumpDatabase, findInDump } from '../../../test/harness/dump-database.ts';
import { insertOwnAccount, type OwnedAccount } from '../../../test/harness/own-account.ts';
import { type PushService, startPushService } from '../../../test/harness/push-service.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { clientOf, signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { inboxContract } from './contract.ts';
import { refreshNotices } from './notices.ts';
import { sendPush } from './pushes.ts';
import { claimAwayUsers, deleteOldPushes } from './store.ts';

let service: PushService;
let server: TestApp;
beforeAll(async () => {
  service = await startPushService(() => server.app.clock.nowMs());
  const log = await createLog({ level: 'silent', format: 'json' });
  server = await startTestApp({ role: 'web', fetch: service.fetch(log) });
});
afterAll(async () => {
  await server.close();
  await service.close();
});
beforeEach(() => sql`delete from platform.limits`.execute(server.app.db));

interface Person {
  user: TestUser;
  owned: OwnedAccount;
}

let people = 0;
async function newPerson(): Promise<Person> {
  people += 1;
  const user = await signUpUser(server, `pushed${people}@example.org`);
  const owned = await insertOwnAccount(server, user);
  await sql`delete from sync.mirrors where user_id = ${user.userId}`.execute(server.app.db);
  return { user, owned };
}

const facts = { id: 'test', ip: '192.0.2.7', userAgent: undefined };

/** Another browser of the same person, signed in there. */
async function openElsewhere({ userId, email }: TestUser): Promise<TestUser> {
  const token = await openSession(
    server.app.db,
    { id: userId },
    { method: 'password', secondFactor: true, request: facts },
  );
  return { userId, email, token, as: (contract) => clientOf(server, contract, token) };
}

async function turnOn(user: TestUser) {
  const inbox = user.as(inboxContract);
  const { public_key: key } = await inbox.listDevices();
  const body = service.subscribe(key);
  return { ...(await inbox.keepDevice({ body })), body };
}

const setStatus = async ({ user, owned }: Person, status: string) => {
  await sql`update connections.connections set status = ${status}, status_message = 'Sign in again.'
    where id = ${owned.accountId}`.execute(server.app.db);
  await refreshNotices(server.app, user.userId);
};
const unwell = (person: Person) => setStatus(person, 'needs-reconnect');

interface Push {
  id: string;
  state: string;
  attempts: number;
  error: string | null;
}
const pushesOf = async ({ user }: Person) =>
  (
    await sql<Push>`select p.id, p.state, p.attempts, p.error from inbox.pushes p
      join inbox.devices d on d.id = p.device_id where d.user_id = ${user.userId} order by p.created_at`.execute(
      server.app.db,
    )
  ).rows;

/** Does what the jobs would. */
async function sendAll(person: Person) {
  const waits: (number | null)[] = [];
  for (const { id } of await pushesOf(person)) waits.push(await sendPush(server.app, id, AbortSignal.timeout(20_000)));
  return waits;
}
const cameTo = ({ endpoint }: { endpoint: string }) =>
  service.pushed.filter(({ browser }) => endpoint.endsWith(browser));

test('a push notification is sent encrypted to each device once and links to its screen', async () => {
  const person = await newPerson();
  const first = await turnOn(person.user);
  const second = await turnOn(await openElsewhere(person.user));
  await unwell(person);
  expect(await sendAll(person)).toEqual([null, null]);
  expect(service.refused).toEqual([]);
  for (const { body } of [first, second]) {
    expect(cameTo(body)).toMatchObject([
      {
        message: { title: 'home needs to be reconnected', body: 'Sign in again.', to: '/integrations' },
        urgency: 'normal',
        topic: expect.stringMatching(/^[\w-]{22}$/),
        subject: expect.stringMatching(/^mailto:/),
        bytes: 4_096,
      },
    ]);
    expect(cameTo(body)[0]?.ttl).toBeGreaterThan(11 * 3_600);
  }
  // a job that runs twice, another look
  await sendAll(person);
  await refreshNotices(server.app, person.user.userId);
  await sendAll(person);
  expect(cameTo(first.body)).toHaveLength(1);
});

test('a push notification uses the language of its user', async () => {
  const person = await newPerson();
  await person.user.as(accountsContract).changePreferences({ body: { locale: 'de-DE', timezone: 'Europe/Berlin' } });
  const { body } = await turnOn(person.user);
  await unwell(person);
  await sendAll(person);
  expect(cameTo(body)[0]?.message.title).toBe('home muss neu verbunden werden');
});

test('a notification that is older than the device, read or unwanted is not pushed', async () => {
  const person = await newPerson();
  await unwell(person);
  const { body } = await turnOn(person.user);
  await refreshNotices(server.app, person.user.userId);
  expect(await pushesOf(person)).toEqual([]);

  const reader = await newPerson();
  await turnOn(reader.user);
  await unwell(reader);
  await reader.user.as(inboxContract).markNotices({ body: { read: true } });
  await sendAll(reader);
  expect(await pushesOf(reader)).toMatchObject([{ state: 'failed', error: 'not wanted any more' }]);

  const quiet = await newPerson();
  const quietDevice = await turnOn(quiet.user);
  const notifications = { syncErrors: false, bookingReminders: true, productUpdates: false };
  await quiet.user.as(accountsContract).changePreferences({ body: { notifications } });
  await unwell(quiet);
  await sendAll(quiet);
  expect([...cameTo(body), ...cameTo(quietDevice.body)]).toEqual([]);
});

test('booking notifications are pushed only to users who want booking notifications', async () => {
  const person = await newPerson();
  const { body } = await turnOn(person.user);
  await unwell(person);
  const asBooked = () =>
    sql`update inbox.notices set kind = 'booked',
      details = '{"title":"Intro","guest":"Grace","booking_id":"0190a6de-5b7f-7cc5-8d5d-000000000001","start_time":"2027-03-03T10:00:00Z"}'
      where user_id = ${person.user.userId}`.execute(server.app.db);
  await asBooked();
  await sendAll(person);
  expect(cameTo(body)).toMatchObject([
    {
      message: { title: 'Grace booked Intro', to: '/meetings?booking=0190a6de-5b7f-7cc5-8d5d-000000000001' },
      urgency: 'high',
    },
  ]);
  expect(cameTo(body)[0]?.message.body).toMatch(/Mar 3/);
  const notifications = { syncErrors: true, bookingReminders: false, productUpdates: false };
  await person.user.as(accountsContract).changePreferences({ body: { notifications } });
  await sql`update inbox.pushes set state = 'queued'`.execute(server.app.db);
  await sendAll(person);
  expect(cameTo(body)).toHaveLength(1);
});

test('a device unknown to its push service is removed', async () => {
  for (const status of [404, 410]) {
    const person = await newPerson();
    await turnOn(person.user);
    await unwell(person);
    service.say({ status });
    await sendAll(person);
    expect(await person.user.as(inboxContract).listDevices()).toMatchObject({ devices: [] });
  }
});

test('a push to a busy or failing service is retried after its delay and delivered once', async () => {
  const person = await newPerson();
  const { body } = await turnOn(person.user);
  await unwell(person);
  service.say({ status: 429, headers: { 'retry-after': '90' } }, { status: 503 });
  expect(await sendAll(person)).toEqual([90_000]);
  expect(await sendAll(person)).toEqual([120_000]);
  expect(await sendAll(person)).toEqual([null]);
  expect(cameTo(body)).toHaveLength(1);
  expect(await pushesOf(person)).toMatchObject([{ state: 'sent', attempts: 3 }]);
});

test('a device is removed after its push service refused five times in a row', async () => {
  const person = await newPerson();
  const { body } = await turnOn(person.user);
  await unwell(person);
  for (let refusal = 1; refusal <= 5; refusal += 1) {
    expect((await person.user.as(inboxContract).listDevices()).devices).toHaveLength(1);
    service.say({ status: 403 });
    await sql`update inbox.pushes set state = 'queued'`.execute(server.app.db);
    await sendAll(person);
  }
  expect((await person.user.as(inboxContract).listDevices()).devices).toEqual([]);
  expect(cameTo(body)).toEqual([]);
});

test('a push with an unknown outcome is not sent again after a lost connection or a dead worker', async () => {
  const person = await newPerson();
  const { body } = await turnOn(person.user);
  await unwell(person);
  service.say('cut');
  await sendAll(person);
  await sendAll(person);
  expect(cameTo(body)).toHaveLength(1);
  expect(await pushesOf(person)).toMatchObject([{ state: 'failed', error: 'nobody knows whether it was sent' }]);

  await sql`update inbox.pushes set state = 'sending', created_at = now() - interval '20 minutes'`.execute(
    server.app.db,
  );
  await sendAll(person);
  await deleteOldPushes(server.app.db);
  expect(cameTo(body)).toHaveLength(1);
  expect(await pushesOf(person)).toMatchObject([{ state: 'failed' }]);
});

test('a push device is removed when its session ends', async () => {
  const person = await newPerson();
  const [here, there] = [person.user, await openElsewhere(person.user)];
  await turnOn(here);
  await turnOn(there);
  expect((await here.as(inboxContract).listDevices()).devices).toMatchObject([{ current: false }, { current: true }]);
  await unwell(person);
  await there.as(accountsContract).logout();
  expect((await here.as(inboxContract).listDevices()).devices).toMatchObject([{ current: true }]);
  expect(await pushesOf(person)).toHaveLength(1);
  await turnOn(await openElsewhere(person.user));
  await here.as(accountsContract).logoutEverywhere({ body: { includingThis: false } });
  expect((await here.as(inboxContract).listDevices()).devices).toMatchObject([{ current: true }]);
});

test("a browser's push device moves to the user who signs in there", async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const { body } = await turnOn(person.user);
  await other.user.as(inboxContract).keepDevice({ body });
  expect((await person.user.as(inboxContract).listDevices()).devices).toEqual([]);
  await unwell(person);
  await unwell(other);
  await Promise.all([sendAll(person), sendAll(other)]);
  expect(cameTo(body)).toHaveLength(1);
});

test('a user has at most ten push devices, even when more are added at once', async () => {
  const { user } = await newPerson();
  const browsers = await Promise.all(Array.from({ length: 12 }, () => openElsewhere(user)));
  const ends = await Promise.allSettled(browsers.map(turnOn));
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  for (const end of ends)
    if (end.status === 'rejected') expect(end.reason).toMatchObject({ status: 409, code: 'TOO_MANY' });
  const inbox = user.as(inboxContract);
  const { devices } = await inbox.listDevices();
  expect(devices).toHaveLength(10);
  await inbox.removeDevice({ params: { deviceId: devices[0]?.id ?? '' } });
  expect((await turnOn(user)).devices).toHaveLength(10);
});

test('an invalid push endpoint or key is refused, and the database stores none in plain text', async () => {
  const { user } = await newPerson();
  const { body } = await turnOn(user);
  const answerTo = (payload: object) =>
    server.inject({
      method: 'PUT',
      url: '/api/account/devices/current',
      headers: { authorization: `Bearer ${user.token}` },
      payload,
    });
  const keys = { ...body.keys, p256dh: `B${'A'.repeat(86)}` };
  for (const wrong of [
    ...['http://push.example.org/x', 'https://a:b@push.example.org/x', 'file:///etc/passwd', 'x', ''].map(
      (endpoint) => ({ ...body, endpoint }),
    ),
    { ...body, keys },
    { ...body, keys: { ...keys, more: 1 } },
    { ...body, userId: user.userId },
  ])
    expect((await answerTo(wrong)).statusCode, JSON.stringify(wrong)).toBeOneOf([400, 422]);
  const dump = await dumpDatabase(server.app.db);
  for (const secret of [body.endpoint.split('/').at(-1) ?? '', body.keys.auth, body.keys.p256dh])
    expect(findInDump(dump, secret)).toEqual([]);
});

test('users without an open browser are checked for notifications once a minute', async () => {
  const { user } = await newPerson();
  await turnOn(user);
  expect(await claimAwayUsers(server.app.db, 60, 100)).not.toContain(user.userId);
  await sql`update inbox.devices set looked_at = now() - interval '2 minutes'`.execute(server.app.db);
  expect(await claimAwayUsers(server.app.db, 60, 100)).toContain(user.userId);
  expect(await claimAwayUsers(server.app.db, 60, 100)).toEqual([]);
});

test('a push endpoint at a private address is never called, and its device is removed', async () => {
  const person = await newPerson();
  const { body } = await turnOn(person.user);
  await person.user.as(inboxContract).keepDevice({ body: { ...body, endpoint: 'https://127.0.0.1/device' } });
  await unwell(person);
  for (let refusal = 1; refusal <= 5; refusal += 1) {
    await sql`update inbox.pushes set state = 'queued'`.execute(server.app.db);
    expect(await sendAll(person)).toEqual([null]);
  }
  expect((await person.user.as(inboxContract).listDevices()).devices).toEqual([]);
});
