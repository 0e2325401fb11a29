import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SyncWorld, startSyncWorld } from '../../../test/harness/sync-world.ts';
import { accountsContract } from '../accounts/contract.ts';
import { calendarContract } from '../calendar/contract.ts';
import { connectionsContract } from '../connections/contract.ts';
import { syncContract } from './contract.ts';

/** A publisher of a feed on a port of its own, and what it answers. */
interface Publisher {
  server: Server;
  host: string;
  /** Lines of the calendar itself. */
  head: string;
  events: string[];
  etag: number;
  status: number;
  asked: number;
}

let publisher: Publisher;
let world: SyncWorld;

beforeEach(async () => {
  const server = createServer((request, response) => {
    publisher.asked += 1;
    const etag = `"${publisher.etag}"`;
    if (publisher.status !== 200) return response.writeHead(publisher.status).end();
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
    const head = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//rota//EN\r\nX-WR-CALNAME:Rota\r\n';
    response.writeHead(200, { 'content-type': 'text/calendar', etag });
    response.end(`${head}${publisher.head}${publisher.events.join('')}END:VCALENDAR\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  publisher = { server, host: `127.0.0.1:${port}`, head: '', events: [], etag: 1, status: 200, asked: 0 };
  world = await startSyncWorld({ allowPrivate: [publisher.host] });
});
afterEach(async () => {
  await world.close();
  await new Promise((resolve) => publisher.server.close(resolve));
});

const shift = (day: number) =>
  `BEGIN:VEVENT\r\nUID:shift${day}@rota\r\nDTSTAMP:20270101T000000Z\r\nSUMMARY:On call\r\n` +
  `DTSTART:202703${`${day}`.padStart(2, '0')}T080000Z\r\nDTEND:202703${`${day}`.padStart(2, '0')}T160000Z\r\nEND:VEVENT\r\n`;
const publish = (...days: number[]) => {
  publisher.events = days.map(shift);
  publisher.etag += 1;
};

async function subscribe() {
  const connections = world.person.as(connectionsContract);
  const { account } = await connections.connectFeed({ body: { url: `http://${publisher.host}/secret/rota.ics` } });
  const { calendars } = await connections.listIntegrationCalendars();
  const feed = calendars.find((one) => one.accountId === account.accountId);
  if (feed === undefined) throw new Error('the feed has no calendar');
  const sync = world.person.as(syncContract);
  const [group] = (await sync.listGroups()).groups;
  if (group === undefined) throw new Error('there is no group');
  await sync.changeGroup({
    params: { groupId: group.groupId },
    body: {
      name: group.name,
      enabled: true,
      rule: {},
      members: [world.left, world.right, feed].map(({ calendarId }) => ({
        calendarId,
        isSource: true,
        isTarget: calendarId !== feed.calendarId,
      })),
      pairs: [],
      revision: group.revision,
    },
  });
  return { account, feed };
}

/** Past the shortest rest of a feed. */
const later = () => world.clock.advance({ minutes: 7 });
const starts = () =>
  world.left
    .blocks()
    .map((one) => /DTSTART:(\d+T\d+Z)/.exec(one.body)?.[1] ?? '')
    .toSorted();

test('the events of a feed are mirrored and follow its changes, and the feed is never written', async () => {
  publish(2, 3, 4);
  const { account, feed } = await subscribe();
  expect(account).toMatchObject({ provider: 'ics', email: `Rota (${publisher.host})`, canReconnectWithPassword: true });
  expect(feed).toMatchObject({ name: 'Rota', writable: false });
  expect(JSON.stringify(account)).not.toContain('secret');
  await world.pass();
  expect(starts()).toEqual(['20270302T080000Z', '20270303T080000Z', '20270304T080000Z']);
  publish(2, 4, 5);
  later();
  await world.pass();
  expect(starts()).toEqual(['20270302T080000Z', '20270304T080000Z', '20270305T080000Z']);
  world.writes();
  later();
  await world.pass();
  expect(world.writes()).toBe(0);
});

test('an invitation that the subscriber declined takes no time in a feed once their address is confirmed', async () => {
  const { email } = world.person;
  const invited = (day: number, answer: string) =>
    shift(day).replace('END:VEVENT', `ORGANIZER:mailto:boss@corp.example\r\nATTENDEE;PARTSTAT=${answer}\r\nEND:VEVENT`);
  publisher.events = [
    invited(2, `DECLINED:mailto:${email.toUpperCase()}`),
    invited(3, `DELEGATED;EMAIL=${email}:urn:uuid:1`),
    invited(4, `TENTATIVE:mailto:${email}`),
    invited(5, 'DECLINED:mailto:else@corp.example'),
  ];
  const { db } = world.server.app;
  await subscribe();
  await sql`update accounts.users set email_verified_at = null where email = ${email}`.execute(db);
  await world.pass();
  expect(starts()).toHaveLength(4);
  await sql`update accounts.users set email_verified_at = now() where email = ${email}`.execute(db);
  later();
  await world.pass();
  expect(starts()).toEqual(['20270304T080000Z', '20270305T080000Z']);
});

test('a declined invitation in an account whose server tells no address is known by the confirmed address', async () => {
  const { left, person, server } = world;
  const { db } = server.app;
  const invited = (uid: string, day: number, answer: string) =>
    left.put(
      uid,
      `UID:${uid}\nDTSTART:2027030${day}T080000Z\nDTEND:2027030${day}T160000Z\n` +
        `ORGANIZER:mailto:boss@corp.example\nATTENDEE;PARTSTAT=${answer}`,
    );
  await sql`update connections.connections set addresses = '{}' where id = ${left.accountId}`.execute(db);
  await sql`update accounts.users set email_verified_at = null where email = ${person.email}`.execute(db);
  invited('no', 2, `DECLINED:mailto:${person.email}`);
  invited('maybe', 3, `TENTATIVE:mailto:${person.email}`);
  invited('other', 4, 'DECLINED:mailto:else@corp.example');
  await world.pass();
  const blocks = () =>
    world.right
      .blocks()
      .map(({ body }) => /DTSTART:(\d{8})/.exec(body)?.[1] ?? '')
      .toSorted();
  expect(blocks()).toEqual(['20270302', '20270303', '20270304']);
  await sql`update accounts.users set email_verified_at = now() where email = ${person.email}`.execute(db);
  const migration = await readFile(new URL('../../../migrations/0278_invited-elsewhere.sql', import.meta.url), 'utf8');
  await sql.raw(migration).execute(db);
  later();
  await world.pass();
  expect(blocks()).toEqual(['20270303', '20270304']);
});

test('floating lengths that an earlier version stored are read again, and other events are not', async () => {
  const { db } = world.server.app;
  const overnight = (uid: string) =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20270313T220000\r\nDTEND:20270314T060000\r\nEND:VEVENT\r\n`;
  publisher.events = [overnight('feed'), shift(2)];
  world.left.put('overnight', overnight('left'));
  world.left.put('zoned', 'UID:zoned\r\nDTSTART:20270303T080000Z\r\nDTEND:20270303T160000Z');
  await subscribe();
  await world.pass();
  const stored = async () =>
    (
      await sql<{ uid: string; body: string; version: string }>`
        select uid, body, version from calendar.items where provenance = 'foreign' order by uid`.execute(db)
    ).rows;
  const before = await stored();
  expect(before.map(({ uid }) => uid)).toEqual(['feed', 'left', 'shift2@rota', 'zoned']);
  await sql`update calendar.items set body = replace(body, '"wallSeconds"', '"seconds"'), hash = 'earlier'`.execute(db);
  const migration = await readFile(new URL('../../../migrations/0257_read-again.sql', import.meta.url), 'utf8');
  await sql.raw(migration).execute(db);
  const emptied = (await stored()).filter(({ version }) => version === '');
  expect(emptied.map(({ uid }) => uid)).toEqual(['feed', 'left']);
  later();
  await world.pass();
  expect(await stored()).toEqual(before);
});

test('a feed that is suddenly empty frees no time before its owner agrees that its mirrors go', async () => {
  const days = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
  publish(...days);
  const { feed } = await subscribe();
  await world.pass();
  expect(starts()).toHaveLength(12);
  const isBusy = async () => {
    const query = { at: '2027-03-05T09:00:00Z' };
    return (await world.person.as(calendarContract).explainBusy({ query })).busy;
  };
  expect(await isBusy()).toBe(true);
  publish();
  later();
  // read twice within seconds, and again when it has been empty for a while
  for (const wait of [{ seconds: 5 }, { minutes: 11 }, { minutes: 7 }, { hours: 30 }]) {
    await world.pass();
    expect([await isBusy(), starts().length], JSON.stringify(wait)).toEqual([true, 12]);
    world.clock.advance(wait);
  }
  await world.pass();
  expect([await isBusy(), starts().length]).toEqual([true, 12]);
  const sync = world.person.as(syncContract);
  const [group] = (await sync.listGroups()).groups;
  if (group === undefined) throw new Error('there is no group');
  expect(group.breakers.map((one) => one.sourceCalendarId)).toContain(feed.calendarId);
  for (const { sourceCalendarId, targetCalendarId } of group.breakers) {
    const body = { sourceCalendarId, targetCalendarId, answer: 'delete' as const };
    await sync.answerBreaker({ params: { groupId: group.groupId }, body });
  }
  // the first answer is carried out while the second one comes in
  await world.server.settle();
  await world.pass();
  expect([await isBusy(), starts().length]).toEqual([false, 0]);
});

test('a feed that is gone keeps its mirrors, reports an error, and continues at its new address', async () => {
  publish(2, 3);
  const { account } = await subscribe();
  await world.pass();
  publisher.status = 410;
  later();
  await world.pass();
  const connections = world.person.as(connectionsContract);
  const [shown] = (await connections.listAccounts()).accounts.filter((one) => one.accountId === account.accountId);
  expect(shown).toMatchObject({ status: 'error', needsReconnect: true });
  expect(shown?.message).toContain('new address');
  expect(starts()).toHaveLength(2);
  publisher.status = 200;
  publish(2, 3, 9);
  await connections.reconnect({
    params: { accountId: account.accountId },
    body: { password: `http://${publisher.host}/elsewhere.ics` },
  });
  await world.pass();
  expect(starts()).toEqual(['20270302T080000Z', '20270303T080000Z', '20270309T080000Z']);
});

test('a feed that was gone and is back is read when its owner asks for a sync', async () => {
  publish(2, 3);
  const { account } = await subscribe();
  await world.pass();
  const sync = world.person.as(syncContract);
  const shown = async () => {
    const { accounts } = await world.person.as(connectionsContract).listAccounts();
    return accounts.find((one) => one.accountId === account.accountId);
  };
  publisher.status = 410;
  later();
  await world.pass();
  const { asked } = publisher;
  await sync.syncAccount({ params: { accountId: account.accountId } });
  await world.server.settle();
  expect(publisher.asked).toBeGreaterThan(asked);
  expect(await shown()).toMatchObject({ status: 'error', needsReconnect: true });
  publisher.status = 200;
  publish(2, 9);
  await sync.syncAccount({ params: { accountId: account.accountId } });
  await world.server.settle();
  expect(await shown()).toMatchObject({ status: 'active', needsReconnect: false, message: null });
  expect(starts()).toEqual(['20270302T080000Z', '20270309T080000Z']);
});

test.each([
  ['a sign-in page', 'ftp://example.org/', 'NOT_A_FEED'],
  ['an address inside this network', 'http://127.0.0.1:1/x.ics', 'UNREACHABLE'],
])('a subscription to %s is refused with an error code', async (_, url, code) => {
  const connections = world.person.as(connectionsContract);
  await expect(connections.connectFeed({ body: { url } })).rejects.toMatchObject({ code });
});

test('what is wrong with a feed is listed for its calendar, event by event, until the feed is mended', async () => {
  const unreadable = shift(4).replace('DTSTART:', 'DTSTART:on ');
  publisher.events = [shift(2), 'BEGIN:VTODO\r\nSUMMARY:Order stamps\r\n', shift(3), unreadable];
  const { feed } = await subscribe();
  await world.pass();
  const list = () => world.person.as(calendarContract).listWarnings({ params: { calendarId: feed.calendarId } });
  expect(await list()).toMatchObject({
    events: [{ title: 'On call', effect: 'none', notes: [{ code: 'start-unreadable' }] }],
    file: [{ code: 'component-unclosed', values: { component: 'VTODO' } }],
    more: 0,
  });
  publisher.status = 304;
  later();
  await world.pass();
  expect((await list()).file).toHaveLength(1);
  publisher.status = 200;
  publish(2, 3, 4);
  later();
  await world.pass();
  expect(await list()).toMatchObject({ events: [], file: [] });
});

test('a series of a feed that is moved from one day on blocks its former and its new hours, and cannot be changed', async () => {
  const lines = (...own: string[]) =>
    `BEGIN:VEVENT\r\nUID:split@rota\r\nSUMMARY:Stand-up\r\n${own.join('\r\n')}\r\nEND:VEVENT\r\n`;
  publisher.events = [
    lines('DTSTART:20270307T080000Z', 'DTEND:20270307T090000Z', 'RRULE:FREQ=DAILY;COUNT=6'),
    lines('RECURRENCE-ID;RANGE=THISANDFUTURE:20270310T080000Z', 'DTSTART:20270310T100000Z', 'DTEND:20270310T110000Z'),
  ];
  await subscribe();
  await world.pass();
  const expected = ['07T08', '08T08', '09T08', '10T10', '11T10', '12T10'].map((at) => `202703${at}0000Z`);
  expect(starts()).toEqual(expected);
  const query = { from: '2027-03-07T00:00:00Z', to: '2027-03-14T00:00:00Z' };
  const { events } = await world.person.as(calendarContract).listEvents({ query });
  const shown = events.filter((event) => !event.is_holdfast_block && event.class === 'busy');
  expect(shown.map(({ start_time }) => start_time.replaceAll(/[-:]|\.000/g, ''))).toEqual(expected);
  expect(new Set(shown.map(({ recurring, editable }) => `${recurring} ${editable}`))).toEqual(new Set(['true false']));
});

/** Whether the person is busy at the beginning of these hours. */
async function busyAt(...times: string[]): Promise<boolean[]> {
  await world.server.settle();
  const busy: boolean[] = [];
  for (const at of times) {
    const query = { at: `2027-${at}:00Z` };
    busy.push((await world.person.as(calendarContract).explainBusy({ query })).busy);
  }
  return busy;
}

const passLater = async (head: string, events: string[]) => {
  Object.assign(publisher, { head, events, etag: publisher.etag + 1 });
  later();
  await world.pass();
};

test.each([
  ['has offsets that cannot be read', (text: string) => text.replaceAll('-0500', 'xx')],
  ['has empty offsets', (text: string) => text.replaceAll('-0500', '')],
  ['is missing', () => ''],
])('an event whose time zone %s keeps the time that it had', async (_, damage) => {
  const zone =
    'BEGIN:VTIMEZONE\r\nTZID:Foo7\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:-0500\r\n' +
    'TZOFFSETTO:-0500\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n';
  const daily =
    'BEGIN:VEVENT\r\nUID:daily@rota\r\nDTSTART;TZID=Foo7:20270305T090000\r\nDURATION:PT1H\r\n' +
    'RRULE:FREQ=DAILY;COUNT=3\r\nEND:VEVENT\r\n';
  publisher.events = [zone, daily];
  await subscribe();
  await world.pass();
  const known = ['03-05T14:00', '03-06T14:00', '03-07T14:00'];
  expect(await busyAt(...known, '03-05T09:00')).toEqual([true, true, true, false]);
  await passLater('', [damage(zone), daily]);
  // the times that the file may mean block as well
  expect(await busyAt(...known, '03-05T09:00')).toEqual([true, true, true, true]);
  await passLater('', [zone, daily]);
  expect(await busyAt(...known, '03-05T09:00')).toEqual([true, true, true, false]);
});

const floating = 'BEGIN:VEVENT\r\nUID:f@rota\r\nDTSTART:20270305T090000\r\nDURATION:PT1H\r\nEND:VEVENT\r\n';
const moveOwner = (timezone: string) =>
  world.person.as(accountsContract).changePreferences({ body: { timezone, timeFormat: '24h' } });

test('floating events follow the zone of their feed, and a header that cannot be read moves none', async () => {
  await moveOwner('Asia/Tokyo');
  const header = (zone: string) => `X-WR-TIMEZONE:${zone}\r\n`;
  Object.assign(publisher, { head: header('Europe/Berlin'), events: [floating] });
  await subscribe();
  await world.pass();
  const [berlin, newYork, tokyo] = ['03-05T08:00', '03-05T14:00', '03-05T00:00'] as const;
  expect(await busyAt(berlin, newYork, tokyo)).toEqual([true, false, false]);
  await passLater(header('America/New_York'), [floating]);
  expect(await busyAt(berlin, newYork, tokyo)).toEqual([false, true, false]);
  await passLater(header('Amer'), [floating]);
  expect(await busyAt(berlin, newYork, tokyo)).toEqual([false, true, false]);
  await passLater('', [floating]);
  expect(await busyAt(berlin, newYork, tokyo)).toEqual([false, false, true]);
  await passLater(header('Europe/Berlin'), [floating]);
  await moveOwner('America/New_York');
  expect(await busyAt(berlin, newYork, tokyo)).toEqual([true, false, false]);
});

test('floating events of a feed without a zone follow their owner', async () => {
  await moveOwner('Europe/Berlin');
  publisher.events = [floating];
  await subscribe();
  await world.pass();
  expect(await busyAt('03-05T08:00', '03-05T00:00')).toEqual([true, false]);
  await moveOwner('Asia/Tokyo');
  expect(await busyAt('03-05T08:00', '03-05T00:00')).toEqual([false, true]);
});
