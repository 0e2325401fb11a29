import { createServer, type Server } from 'node:http';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { connectionsContract } from '../connections/contract.ts';
import { syncContract } from '../sync/contract.ts';

const minute = 60_000;
const clock = fixedClock('2027-03-01T08:00:00Z');
/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / minute;
const accounts = 25;
const meeting = `UID:m@x\r\nDTSTAMP:20270101T000000Z\r\nSUMMARY:Weekly\r\nDTSTART:20270301T230000Z\r\nDTEND:20270301T233000Z\r\n`;

let publisher: Server;
let asked = 0;
let server: TestApp;
let anna: TestUser;
let accountIds: string[];
beforeAll(async () => {
  // each reading finds another time, so each of them is stored and tells of it
  publisher = createServer((_, response) => {
    asked += 1;
    const body = meeting.replaceAll('2330', `23${String(10 + (asked % 50))}`);
    response.writeHead(200, { 'content-type': 'text/calendar' });
    response.end(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n${body}END:VEVENT\r\nEND:VCALENDAR\r\n`);
  });
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
  const { port } = publisher.address() as { port: number };
  const host = `127.0.0.1:${port}`;
  server = await startTestApp({
    clock,
    config: { caldavAllowPrivate: [host] },
    http: { requestsPerMinute: 1_000_000 },
  });
  anna = await signUpUser(server, 'anna@example.org');
  const connections = anna.as(connectionsContract);
  accountIds = [];
  for (let n = 0; n < accounts; n += 1) {
    const { account } = await connections.connectFeed({ body: { url: `http://${host}/${n}.ics` } });
    accountIds.push(account.accountId);
  }
  await server.settle();
}, 120_000);
afterAll(async () => {
  await server.close();
  await new Promise((resolve) => publisher.close(resolve));
});

const countDeadlocks = async () => {
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks::int from pg_stat_database where datname = current_database()`.execute(server.app.db);
  return rows[0]?.deadlocks;
};
afterEach(async () => expect(await countDeadlocks()).toBe(0));

let guests = 0;
async function book(path: string, start: number): Promise<number> {
  guests += 1;
  const { statusCode } = await server.inject({
    method: 'POST',
    url: `${path}/bookings`,
    payload: { start, name: `Guest ${guests}`, email: `guest-${guests}@example.net`, zone: 'UTC' },
    remoteAddress: `10.0.${guests >> 8}.${guests & 255}`,
  });
  return statusCode;
}

const verified = async (typeId: string) => {
  const { rows } = await sql<{ verified: boolean }>`
    select b.verified from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where a.event_type_id = ${typeId}`.execute(server.app.db);
  return rows.map((row) => row.verified);
};

describe('a host with many accounts', () => {
  test('guests book at once while all calendars are read, and no request fails', async () => {
    const sync = anna.as(syncContract);
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      // past the time that a reading is good for
      clock.advance({ seconds: 30 });
      const types = await Promise.all(
        Array.from({ length: 4 }, (_, n) => insertBookable(server, anna, `intro-${round}-${n}`)),
      );
      const booked = types.map(({ path }, n) => book(path, nine + (round * 4 + n) * 30));
      const read = accountIds.map((accountId) => sync.syncAccount({ params: { accountId } }));
      statuses.push(...(await Promise.all(booked)));
      await Promise.all(read);
      await server.settle(120_000);
    }
    expect(statuses).toEqual(Array.from({ length: 12 }, () => 201));
  }, 240_000);

  test('a reading that fails for any reason costs no booking, and the booking says that it was not checked', async () => {
    const checked = await insertBookable(server, anna, 'checked');
    const unchecked = await insertBookable(server, anna, 'unchecked');
    clock.advance({ seconds: 30 });
    expect(await book(checked.path, nine + 1440)).toBe(201);
    await server.settle();
    clock.advance({ seconds: 30 });
    const { db } = server.app;
    await sql`alter table sync.pulls add constraint unwritable check (next_pull_at < 'epoch') not valid`.execute(db);
    try {
      expect(await book(unchecked.path, nine + 1440 + 60)).toBe(201);
    } finally {
      await sql`alter table sync.pulls drop constraint unwritable`.execute(db);
    }
    expect([await verified(checked.typeId), await verified(unchecked.typeId)]).toEqual([[true], [false]]);
  });
});
