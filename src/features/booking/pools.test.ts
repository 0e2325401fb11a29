import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam, insertTeamType, type Mate } from '../../../test/harness/bookable-team.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import type { TeamId } from '../../kernel/ids.ts';
import { listTeamConferences } from './conferences/conferences.ts';
import { fillContactOwner } from './contact-owner.ts';
import type { TypeSettings } from './rules/type-settings.ts';

const minute = 60_000;
const clock = fixedClock('2027-03-01T08:00:00Z');
/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / minute;

let server: TestApp;
let people: TestUser[];
let team: { teamId: TeamId; handle: string };
beforeAll(async () => {
  // no worker runs here: follow-up jobs only wait
  server = await startTestApp({ role: 'web', clock, http: { requestsPerMinute: 1_000_000 } });
  people = [];
  for (const name of ['anna', 'ben', 'carla', 'dora']) people.push(await signUpUser(server, `${name}@example.org`));
  team = {
    teamId: await insertTeam(
      server,
      'sales',
      people.map((user) => ({ user })),
    ),
    handle: 'sales',
  };
});
beforeEach(() => sql`truncate booking.appointments, booking.event_types cascade`.execute(server.app.db));
afterAll(() => server.close());

const mate = (n: number, more: Partial<Mate> = {}): Mate => ({ user: people[n] as TestUser, ...more });
const nameOf = (id: string) => people.find(({ userId }) => userId === id)?.email.replace(/@.*/, '') ?? id;
const pool = (mates: Mate[], settings: Partial<TypeSettings> = {}) =>
  insertTeamType(server, team, mates, { kind: 'round-robin', ...settings });
const together = (mates: Mate[], settings: Partial<TypeSettings> = {}) =>
  insertTeamType(server, team, mates, { kind: 'collective', ...settings });

let networks = 0;
async function post(url: string, payload: object) {
  networks += 1;
  const remoteAddress = `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}`;
  const response = await server.inject({ method: 'POST', url, payload, remoteAddress });
  const body = response.json<Record<string, unknown> & { detail?: { code: string } }>();
  return { status: response.statusCode, code: body.detail?.code ?? null, body };
}
let guests = 0;
const book = (path: string, start: number, more: object = {}) => {
  guests += 1;
  const email = `guest-${guests}@example.net`;
  return post(`${path}/bookings`, { start, name: `Guest ${guests}`, email, zone: 'UTC', ...more });
};
const startsOf = async (path: string): Promise<number[]> => {
  const url = `${path}/slots?from=${nine - 60}&to=${nine + 9 * 60}`;
  return (await server.inject({ method: 'GET', url })).json<{ starts: number[] }>().starts;
};

/** Lists assigned hosts by time: `anna 0` is nine o'clock, `ben 30` half past. */
async function taken(): Promise<string[]> {
  const { rows } = await sql<{ host: string; start: number }>`
    select b.host_id as host, a.start_ms as start from booking.blocks b
    join booking.appointments a on a.id = b.appointment_id`.execute(server.app.db);
  return rows.map(({ host, start }) => `${nameOf(host)} ${start / minute - nine}`).sort();
}

async function countFaults() {
  const { rows } = await sql<{ overlaps: number; deadlocks: number; unequal: number }>`
    select (select count(*)::int from booking.blocks a join booking.blocks b
        on a.host_id = b.host_id and a.during && b.during and a.appointment_id < b.appointment_id) as overlaps,
      (select deadlocks::int from pg_stat_database where datname = current_database()) as deadlocks,
      (select count(*)::int from booking.appointments a where a.live and cardinality(a.host_ids) <>
        (select count(*) from booking.blocks b where b.appointment_id = a.id and b.host_id = any(a.host_ids))) as unequal`.execute(
    server.app.db,
  );
  return rows[0];
}
afterEach(async () => expect(await countFaults()).toEqual({ overlaps: 0, deadlocks: 0, unequal: 0 }));

describe('round robins', () => {
  test('a round robin takes its hosts in turn, and offers a time while any of them is free', async () => {
    const { path } = await pool([mate(0), mate(1), mate(2)]);
    for (const start of [nine, nine, nine]) expect((await book(path, start)).status).toBe(201);
    expect((await taken()).map((one) => one.split(' ')[0])).toEqual(['anna', 'ben', 'carla']);
    expect(await startsOf(path)).not.toContain(nine);
    expect(await startsOf(path)).toContain(nine + 30);
    expect(await book(path, nine)).toMatchObject({ status: 409, code: 'SLOT_TAKEN' });
  });

  test('a round robin gives bookings by weight', async () => {
    const { path } = await pool([mate(0, { weight: 3 }), mate(1)]);
    for (let n = 0; n < 8; n += 1) await book(path, nine + 30 * n);
    const given = (await taken()).map((one) => one.split(' ')[0]);
    expect(given.filter((name) => name === 'anna')).toHaveLength(6);
  });

  test('a round robin skips a host who is not free, and comes back to that host', async () => {
    const { path } = await pool([mate(0), mate(1)]);
    const own = await insertBookable(server, people[0] as TestUser, 'own');
    await post(`${own.path}/bookings`, { start: nine, name: 'Eve', email: 'eve@example.net', zone: 'UTC' });
    for (const start of [nine, nine + 30]) await book(path, start);
    expect(await taken()).toEqual(['anna 0', 'anna 30', 'ben 0']);
  });

  test('a round robin skips a suspended host, and comes back to that host', async () => {
    const { path } = await pool([mate(0), mate(1)]);
    const suspend = (at: unknown) =>
      sql`update accounts.users set suspended_at = ${at} where id = ${mate(0).user.userId}`.execute(server.app.db);
    await suspend(sql`now()`);
    for (const start of [nine, nine + 30]) expect((await book(path, start)).status).toBe(201);
    expect(await startsOf(path)).not.toContain(nine);
    expect(await book(path, nine)).toMatchObject({ status: 409, code: 'SLOT_TAKEN' });
    await suspend(null);
    expect(await startsOf(path)).toContain(nine);
    await book(path, nine);
    expect(await taken()).toEqual(['anna 0', 'ben 0', 'ben 30']);
  });

  test('a round robin does not count early cancellations or guest no-shows', async () => {
    const { path } = await pool([mate(0), mate(1)]);
    const made = await book(path, nine);
    const [{ token } = { token: '' }] = (made.body as { bookings: { token: string }[] }).bookings;
    await server.inject({ method: 'POST', url: `/api/booked/${token}/cancel`, payload: {} });
    await book(path, nine + 30);
    expect(await taken()).toEqual(['anna 30']);
    await sql`update booking.bookings set guest_no_show = true`.execute(server.app.db);
    await book(path, nine + 60);
    expect(await taken()).toEqual(['anna 30', 'anna 60']);
  });

  test('a contact owner who is free gets a booking first when the event type says so', async () => {
    fillContactOwner(async (_db, { email }) =>
      email.startsWith('known') ? ((people[2] as TestUser).userId as never) : null,
    );
    try {
      const { path } = await pool([mate(0), mate(1), mate(2)], { contact_owner_first: true });
      await book(path, nine, { email: 'known-1@example.net' });
      await book(path, nine, { email: 'known-2@example.net' });
      await book(path, nine + 30, { email: 'known-3@example.net' });
      expect(await taken()).toEqual(['anna 0', 'carla 0', 'carla 30']);
    } finally {
      fillContactOwner(null);
    }
  });

  test('a reservation keeps its host, and goes to the contact owner once the guest is known', async () => {
    fillContactOwner(async () => (people[1] as TestUser).userId as never);
    try {
      const { path } = await pool([mate(0), mate(1)], { contact_owner_first: true });
      const held = await post(`${path}/holds`, { start: nine });
      expect(await taken()).toEqual(['anna 0']);
      expect((await book(path, nine, { hold_id: held.body.hold_id })).status).toBe(201);
      expect(await taken()).toEqual(['ben 0']);
    } finally {
      fillContactOwner(null);
    }
  });

  test('a moved booking keeps its host if that host is free, and else goes to the next one', async () => {
    const { path } = await pool([mate(0), mate(1)]);
    const move = async (made: Awaited<ReturnType<typeof book>>, start: number, sequence: number) => {
      const [{ token } = { token: '' }] = (made.body as { bookings: { token: string }[] }).bookings;
      const payload = { start, sequence };
      return (await server.inject({ method: 'POST', url: `/api/booked/${token}/reschedule`, payload })).statusCode;
    };
    const first = await book(path, nine);
    expect(await move(first, nine + 60, 0)).toBe(200);
    expect(await taken()).toEqual(['anna 60']);
    const own = await insertBookable(server, people[0] as TestUser, 'own');
    await post(`${own.path}/bookings`, { start: nine + 120, name: 'Eve', email: 'eve@example.net', zone: 'UTC' });
    expect(await move(first, nine + 120, 1)).toBe(200);
    expect(await taken()).toEqual(['anna 120', 'ben 120']);
  });

  test('a round robin stays fair under simultaneous bookings, also while its hosts are booked directly', async () => {
    const mates = [mate(0), mate(1), mate(2), mate(3)];
    const { path } = await pool(mates);
    const own = await insertBookable(server, people[1] as TestUser, 'own');
    const times = [nine, nine + 30, nine + 60];
    const [answers, alone] = await Promise.all([
      Promise.all(Array.from({ length: 36 }, (_, n) => book(path, times[n % 3] as number))),
      Promise.all(times.map((start) => book(own.path, start))),
    ]);
    const won = alone.filter(({ status }) => status === 201).length;
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(12 - won);
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([null, 'SLOT_TAKEN']));
    expect(await taken()).toHaveLength(12);
    const counts = new Map<string, number>();
    for (const one of await taken())
      counts.set(one.split(' ')[0] ?? '', (counts.get(one.split(' ')[0] ?? '') ?? 0) + 1);
    expect([...counts.values()]).toEqual([3, 3, 3, 3]);
  });

  test('pools that share hosts never double-book a host and never deadlock', async () => {
    const pools = await Promise.all([
      pool([mate(0), mate(1), mate(2)], {}),
      insertTeamType(server, team, [mate(2), mate(1), mate(3)], { kind: 'round-robin', slug: 'other' }),
      together([mate(3), mate(0)]),
    ]);
    const answers = await Promise.all(
      Array.from({ length: 45 }, (_, n) => book(pools[n % 3]?.path ?? '', nine + 30 * (n % 5))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect((await taken()).length).toBeLessThanOrEqual(20);
  });
});

describe('collectives', () => {
  test('a collective takes all of its hosts, and is offered only when all of them are free', async () => {
    const { path } = await together([mate(0), mate(1)]);
    const own = await insertBookable(server, people[1] as TestUser, 'own');
    await book(own.path, nine + 30);
    expect(await startsOf(path)).not.toContain(nine + 30);
    expect((await book(path, nine)).status).toBe(201);
    expect(await taken()).toEqual(['anna 0', 'ben 0', 'ben 30']);
    expect(await book(path, nine + 30)).toMatchObject({ status: 409 });
  });

  test('an optional host joins a collective when free, and never holds it up', async () => {
    const { path } = await together([mate(0), mate(1, { optional: true })]);
    const own = await insertBookable(server, people[1] as TestUser, 'own');
    await book(own.path, nine);
    for (const start of [nine, nine + 30]) expect((await book(path, start)).status).toBe(201);
    expect(await taken()).toEqual(['anna 0', 'anna 30', 'ben 0', 'ben 30']);
  });

  test('a collective with a quorum needs only that many hosts', async () => {
    const { path } = await together([mate(0), mate(1), mate(2)], { quorum: 2 });
    const own = await insertBookable(server, people[0] as TestUser, 'own');
    await book(own.path, nine);
    expect((await book(path, nine)).status).toBe(201);
    expect(await taken()).toEqual(['anna 0', 'ben 0', 'carla 0']);
    expect((await book(path, nine)).status).toBe(409);
  });

  test('a collective goes to one of many simultaneous bookings, with all of its hosts', async () => {
    const { path } = await together([mate(0), mate(1), mate(2)]);
    const answers = await Promise.all(Array.from({ length: 30 }, () => book(path, nine)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await taken()).toEqual(['anna 0', 'ben 0', 'carla 0']);
  });
});

test('the meetings that the members of a team can create take as many SQL statements for four members as for one', async () => {
  const [anna] = people as [TestUser, ...TestUser[]];
  const alone = await insertTeam(server, 'alone', [{ user: anna }]);
  const { db } = server.app;
  await sql`with account as (
      insert into connections.connections (id, user_id, provider, profile, label, subject)
      values (gen_random_uuid(), ${anna.userId}, 'google', 'generic', 'anna@example.org', 'https://accounts.google.com anna')
      returning id, user_id)
    insert into connections.calendars (id, connection_id, user_id, ref, name, color, writable, conferences)
    select gen_random_uuid(), id, user_id, 'primary', 'Work', '#336699', true, '{google-meet}' from account`.execute(
    db,
  );
  const read = async (teamId: TeamId) => {
    let queries = 0;
    const counting = db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const { members } = await listTeamConferences({ ...server.app, db: counting }, anna, teamId);
    return { queries, conferences: members.map(({ conferences }) => conferences) };
  };
  const one = await read(alone);
  expect(one.conferences).toEqual([['google-meet']]);
  expect(await read(team.teamId)).toEqual({ queries: one.queries, conferences: [['google-meet'], [], [], []] });
});

describe('stand-ins', () => {
  const standIn = (from: number, to: number, fromMinute: number, untilMinute: number) =>
    sql`insert into booking.stand_ins (id, team_id, user_id, to_user_id, from_ms, until_ms) values (gen_random_uuid(),
      ${team.teamId}, ${people[from]?.userId}, ${people[to]?.userId}, ${fromMinute * minute}, ${untilMinute * minute})`.execute(
      server.app.db,
    );
  afterEach(() => sql`truncate booking.stand_ins`.execute(server.app.db));

  test('a stand-in takes bookings of a round robin, and they count for the absent host', async () => {
    const { path, typeId } = await pool([mate(0), mate(1)]);
    await standIn(0, 3, nine, nine + 60);
    for (const start of [nine, nine, nine + 60]) expect((await book(path, start)).status).toBe(201);
    expect(await taken()).toEqual(['anna 60', 'ben 0', 'dora 0']);
    const { rows } = await sql<{ turn: string }>`
      select turn_of as turn from booking.appointments where event_type_id = ${typeId} order by assigned_ms, start_ms`.execute(
      server.app.db,
    );
    expect(rows.map(({ turn }) => nameOf(turn)).sort()).toEqual(['anna', 'anna', 'ben']);
  });

  test('a stand-in takes part in a collective only during the absence', async () => {
    const { path } = await together([mate(0), mate(1)]);
    await standIn(0, 3, nine, nine + 60);
    for (const start of [nine, nine + 60]) expect((await book(path, start)).status).toBe(201);
    expect(await taken()).toEqual(['anna 60', 'ben 0', 'ben 60', 'dora 0']);
  });
});
