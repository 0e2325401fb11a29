import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { accessContract } from '../src/features/access/contract.ts';
import { accountsContract } from '../src/features/accounts/contract.ts';
import { accountLeaving } from '../src/features/accounts/events.ts';
import { calendarContract } from '../src/features/calendar/contract.ts';
import { syncContract } from '../src/features/sync/contract.ts';
import { inTransaction } from '../src/platform/db.ts';
import { dumpDatabase, findInDump } from './harness/dump-database.ts';
import { readMails } from './harness/read-mails.ts';
import { startSyncWorld } from './harness/sync-world.ts';
import { startTestApp, type TestApp } from './harness/test-app.ts';
import { clientOf, signUpUser, type TestUser, testPassword } from './harness/test-client.ts';
import { launchThreeProviders, type ThreeProviders } from './harness/three-providers.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let next = closers.pop(); next !== undefined; next = closers.pop()) await next();
});

const deletion = (person: TestUser, email = person.email) =>
  person.as(accountsContract).deleteAccount({ body: { email } });

const isGone = async ({ app }: TestApp, { userId }: TestUser) => {
  const { rows } = await sql`select from accounts.users where id = ${userId}`.execute(app.db);
  return rows.length === 0;
};
const expectGone = (server: TestApp, person: TestUser, timeout = 15_000) =>
  expect.poll(() => isGone(server, person), { timeout, message: 'whether the account is gone' }).toBe(true);

/** As if it had been sent. */
const sendMails = ({ app }: TestApp) =>
  sql`update platform.mails set state = 'sent', body = null, settled_at = now()`.execute(app.db);

const today = Temporal.Now.plainDateISO('UTC');
const basic = (offset: number) => today.add({ days: offset }).toString().replaceAll('-', '');

describe('account deletion with calendars at three providers', () => {
  test('a deleted account leaves no block, grant, feed, database row, or address behind', async () => {
    const publicUrl = 'http://localhost';
    const providers = await launchThreeProviders(publicUrl);
    closers.push(providers.close);
    const server = await startTestApp({ config: { publicUrl, ...providers.config } });
    closers.push(server.close);
    const operator = await signUpUser(server, 'operator@example.org');
    const person = await signUpUser(server, 'leaver.canary@example.org');
    const calendars = [
      await providers.connect(server, person, 'google', 'mesh'),
      await providers.connect(server, person, 'microsoft', 'mesh'),
      await providers.connectCaldav(person, 'mesh'),
    ];
    await person.as(syncContract).createGroup({
      body: {
        name: 'All',
        enabled: true,
        rule: {},
        members: calendars.map(({ calendarId }) => ({ calendarId, isSource: true, isTarget: true })),
        pairs: [],
      },
    });
    await providers.google.control.seed({
      account: 'mesh@google.example',
      calendars: [
        { events: [{ summary: 'Theirs at Google', start: `${today.add({ days: 3 }).toString()}T10:00:00` }] },
      ],
    });
    await providers.caldav.act([{ user: 'mesh', calendar: 'work', do: 'put', name: 'theirs.ics', body: theirs }]);
    for (const { accountId } of calendars) await person.as(syncContract).syncAccount({ params: { accountId } });
    await server.settle(30_000);
    await person.as(accountsContract).changeProfile({ body: { name: 'Leaver Canary', phone: '+44 canary' } });
    const { feeds } = await person.as(calendarContract).publishFeed({ params: { content: 'events' } });
    const feedPath = new URL(feeds[0]?.url ?? '').pathname;
    const before = await standing(providers);
    expect(before).toMatchObject({
      google: { own: 1, blocks: 1 },
      microsoft: { own: 0, blocks: 2 },
      caldav: { own: 1, blocks: 1 },
    });
    expect((await server.inject({ url: feedPath })).statusCode).toBe(200);
    expect(findInDump(await dumpDatabase(server.app.db), person.email).length).toBeGreaterThan(0);

    await deletion(person);
    // at once, while the rest is still going on
    expect((await server.inject({ url: feedPath })).statusCode).toBe(404);
    await expect(person.as(accountsContract).readProfile()).rejects.toMatchObject({ status: 401 });
    await expect(
      clientOf(server, accessContract).login({ body: { email: person.email, password: testPassword } }),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(ACCOUNT_LEAVING|WRONG_CREDENTIALS)$/) }); // or gone already

    await expectGone(server, person, 60_000);
    await server.settle(30_000);
    expect(await standing(providers)).toMatchObject({
      google: { own: 1, blocks: 0 },
      microsoft: { own: 0, blocks: 0 },
      caldav: { own: 1, blocks: 0 },
    });
    const [mail, ...more] = await readMails(server, person.email);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: 'accounts.deleted', subject: 'Your Holdfast account is deleted' });
    expect(JSON.stringify(mail?.content)).not.toContain('could not be removed');

    await sendMails(server);
    const dump = await dumpDatabase(server.app.db);
    for (const trace of [
      person.email,
      'leaver.canary',
      'Leaver Canary',
      '+44 canary',
      'Theirs at Google',
      'mesh@google.example',
    ]) {
      expect(findInDump(dump, trace), trace).toEqual([]);
    }
    // only finished jobs still contain the id, for an hour
    const left = findInDump(dump, person.userId).filter((row) => !row.startsWith('jobs.'));
    expect(left).toEqual([]);
    expect(await operator.as(accountsContract).readProfile()).toMatchObject({ email: 'operator@example.org' });
    // the address is free again
    expect(await signUpUser(server, person.email)).toMatchObject({ email: person.email });
  }, 120_000);
});

describe('account deletion with an unreachable provider', () => {
  const meeting = (uid: string, day: number) =>
    `UID:${uid}@x\nSUMMARY:${uid}\nDTSTART:${basic(day)}T150000Z\nDTEND:${basic(day)}T160000Z`;

  async function startWithBlocks() {
    const world = await startSyncWorld({ now: Temporal.Now.instant().toString() });
    closers.push(world.close);
    const { left, right, person, server } = world;
    left.put('a.ics', meeting('a', 2));
    right.put('b.ics', meeting('b', 3));
    await world.pass();
    expect([left.blocks().length, right.blocks().length]).toEqual([1, 1]);
    /** Time passes; then the news that somebody is leaving is told again, as the sweep does. */
    const later = async (duration: Temporal.DurationLike) => {
      world.clock.advance(duration);
      await inTransaction(server.app.db, (tx) =>
        server.app.news.announce(tx, accountLeaving, { userId: person.userId }),
      );
      await server.settle();
    };
    return { ...world, later };
  }

  test('account deletion is retried overnight and finishes once the provider answers', async () => {
    const { left, right, person, server, emulator, later } = await startWithBlocks();
    emulator.addFault({ path: '/calendars/right/', times: 0, effect: { kind: 'status', status: 503 } });
    await deletion(person);
    for (let hour = 0; hour < 8; hour += 1) await later({ hours: 1 });
    expect(await isGone(server, person)).toBe(false);
    // the account that answers has left already
    expect(left.blocks()).toEqual([]);
    expect(right.blocks()).toHaveLength(1);
    emulator.faults = [];
    await expect
      .poll(
        async () => {
          await later({ hours: 1 });
          return isGone(server, person);
        },
        { timeout: 20_000, interval: 500, message: 'whether the account is gone' },
      )
      .toBe(true);
    expect(right.objects().map((one) => one.name)).toEqual(['b.ics']);
    expect(JSON.stringify(await readMails(server, person.email))).not.toContain('could not be removed');
  }, 60_000);

  test('account deletion gives up a provider after three days and mails which blocks remain', async () => {
    const { right, person, server, emulator, later } = await startWithBlocks();
    emulator.addFault({ path: '/calendars/right/', times: 0, effect: { kind: 'reset' } });
    await deletion(person);
    for (let tries = 0; tries < 12; tries += 1) await later({ hours: 1 });
    expect(await isGone(server, person)).toBe(false);
    await later({ hours: 72 });
    await expect
      .poll(
        async () => {
          await later({ hours: 1 });
          return isGone(server, person);
        },
        { timeout: 20_000, interval: 500, message: 'whether the account is gone' },
      )
      .toBe(true);
    expect(right.blocks()).toHaveLength(1);
    const [mail] = await readMails(server, person.email);
    expect(mail?.content.blocks).toContainEqual({
      facts: [[expect.stringContaining('right'), expect.stringMatching(/^1 block\n\S/)]],
    });
    await sendMails(server);
    expect(findInDump(await dumpDatabase(server.app.db), person.email)).toEqual([]);
  }, 60_000);

  test('account deletion does not wait for a provider with a changed password and mails which blocks remain', async () => {
    const { left, right, person, server } = await startWithBlocks();
    right.user.password = 'changed';
    await deletion(person);
    await expectGone(server, person);
    expect(left.blocks()).toEqual([]);
    expect(JSON.stringify(await readMails(server, person.email))).toContain('1 block');
  }, 30_000);
});

describe('permission to delete an account', () => {
  async function start() {
    const server = await startTestApp();
    closers.push(server.close);
    return { server, admin: await signUpUser(server, 'admin@example.org') };
  }

  test('an account is deleted only by its user, after recent reauthentication and with the address typed', async () => {
    const { server } = await start();
    const [person, other] = [
      await signUpUser(server, 'typed@example.org'),
      await signUpUser(server, 'other@example.org'),
    ];
    await expect(deletion(person, other.email)).rejects.toMatchObject({ status: 400, code: 'WRONG_EMAIL' });
    await sql`update accounts.sessions set authenticated_at = now() - interval '11 minutes'`.execute(server.app.db);
    await expect(deletion(person)).rejects.toMatchObject({ status: 403, code: 'REAUTHENTICATE' });
    expect(await person.as(accountsContract).readProfile()).toMatchObject({ email: person.email });
    await sql`update accounts.sessions set authenticated_at = now()`.execute(server.app.db);
    await deletion(person, ' Typed@Example.org ');
    await expectGone(server, person);
    expect(await other.as(accountsContract).readProfile()).toMatchObject({ email: other.email });
  });

  test('the only administrator cannot delete their account while other users exist', async () => {
    const { server, admin } = await start();
    const other = await signUpUser(server, 'other@example.org');
    await expect(deletion(admin)).rejects.toMatchObject({ status: 409, code: 'ONLY_ADMIN' });
    await sql`update accounts.users set role = 'admin' where id = ${other.userId}`.execute(server.app.db);
    await signUpUser(server, 'third@example.org');
    // both at once: one of them stays
    const outcomes = await Promise.allSettled([deletion(admin), deletion(other)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const alone = await start();
    await deletion(alone.admin);
    await expectGone(alone.server, alone.admin);
  });

  test('account deletion ends open sessions, and a repeated deletion event changes nothing', async () => {
    const { server } = await start();
    const person = await signUpUser(server, 'twice@example.org');
    const heard: string[] = [];
    await server.app.feed.ready();
    const subscription = server.app.feed.subscribe(person.userId, undefined, ({ topic }) => heard.push(topic));
    await deletion(person);
    await expect.poll(() => heard).toContain('session.ended');
    subscription.close();
    const again = () =>
      inTransaction(server.app.db, (tx) => server.app.news.announce(tx, accountLeaving, { userId: person.userId }));
    await Promise.all([again(), again()]);
    await expectGone(server, person);
    await again();
    await server.settle();
    expect(await readMails(server, person.email)).toHaveLength(1);
    expect(await server.app.jobs.listDeadLetters()).toEqual([]);
  });
});

/** How many events of its owner's and blocks of ours each calendar holds. */
async function standing({ google, microsoft, caldav }: ThreeProviders) {
  const [atGoogle, atMicrosoft, atCaldav] = await Promise.all([
    google.control.snapshot(),
    microsoft.control.snapshot(),
    caldav.snapshot(),
  ]);
  const count = <Entry>(entries: readonly Entry[], isBlock: (entry: Entry) => boolean) => ({
    own: entries.filter((entry) => !isBlock(entry)).length,
    blocks: entries.filter(isBlock).length,
  });
  return {
    google: count(atGoogle.accounts['mesh@google.example']?.calendars['mesh@google.example']?.events ?? [], (event) =>
      JSON.stringify(event.extendedProperties ?? {}).includes('holdfast'),
    ),
    microsoft: count(
      atMicrosoft.accounts['mesh@microsoft.example']?.calendars.calendar?.events ?? [],
      (event) => event.transactionId !== null,
    ),
    caldav: count(Object.values(atCaldav.users.mesh?.calendars.work?.objects ?? {}), ({ body }) =>
      body.includes('X-HOLDFAST-MIRROR'),
    ),
  };
}

const theirs = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Example//Another App//EN',
  'BEGIN:VEVENT',
  'UID:theirs@example.org',
  `DTSTAMP:${basic(0)}T000000Z`,
  `DTSTART:${basic(4)}T090000Z`,
  `DTEND:${basic(4)}T100000Z`,
  'SUMMARY:Theirs at CalDAV',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');
