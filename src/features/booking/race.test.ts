import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BookingId } from '#kernel/ids.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { waitFor } from '../../../test/harness/wait-for.ts';
import { inTransaction } from '../../platform/db.ts';
import { lockBookings } from './store/appointments.ts';

const minute = 60_000;
const clock = fixedClock('2027-03-01T08:00:00Z');
/** A Monday, nine o'clock in New York: epoch minutes. */
const nine = Date.UTC(2027, 2, 8, 14) / minute;

/** `npm run race` asks for 500, a thousand times. */
const clients = 60;

let server: TestApp;
/** Processes on one database: within one those who want the same wait for each other, and only the first comes so far. */
let processes: TestApp[];
let anna: TestUser;
beforeAll(async () => {
  // no worker runs here: follow-up jobs only wait
  const encryptionKeys = `race:${randomBytes(32).toString('base64')}`;
  const options = { role: 'web', clock, encryptionKeys, http: { requestsPerMinute: 1_000_000 } } as const;
  server = await startTestApp(options);
  processes = [server, await startTestApp({ ...options, database: server.database })];
  anna = await signUpUser(server, 'anna@example.org');
}, 120_000);
beforeEach(() => sql`truncate booking.appointments, booking.event_types cascade`.execute(server.app.db));
afterAll(async () => {
  for (const one of processes.toReversed()) await one.close();
});

let network = 0;
/** Each client comes from somewhere else, and to another process. */
async function ask(url: string, payload: object, headers: Record<string, string> = {}): Promise<Answer> {
  network += 1;
  const remoteAddress = `10.${(network >> 16) & 255}.${(network >> 8) & 255}.${network & 255}`;
  const atMs = performance.now();
  const response = await processes[network % processes.length]!.inject({
    method: 'POST',
    url,
    payload,
    headers,
    remoteAddress,
  });
  const body = response.json<Record<string, unknown> & { detail?: { code: string } }>();
  return { status: response.statusCode, code: body.detail?.code ?? null, ms: performance.now() - atMs, body };
}

interface Answer {
  status: number;
  code: string | null;
  ms: number;
  body: Record<string, unknown>;
}

const bookings = (count: number, path: string, more: (n: number) => object = () => ({})) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      ask(`${path}/bookings`, {
        start: nine,
        name: `Guest ${n}`,
        email: `guest-${n}@example.net`,
        zone: 'UTC',
        ...more(n),
      }),
    ),
  );

function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, code } of answers) {
    const name = code === null ? String(status) : `${status} ${code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const slowest = (answers: readonly Answer[]) => Math.max(...answers.map(({ ms }) => ms));

/** One is served, everybody else is told that it is taken, and nobody waits longer than this, however busy the machine. */
const patienceMs = 15_000;
function expectOneWinner(answers: readonly Answer[], winner = 201, loser = '409 SLOT_TAKEN'): void {
  expect(tally(answers)).toEqual({ [winner]: 1, [loser]: answers.length - 1 });
  expect(slowest(answers)).toBeLessThan(patienceMs);
}

/** Pairs of bookings whose time overlaps, and deadlocks, so far. */
async function countFaults(): Promise<{ overlaps: number; deadlocks: number }> {
  const { rows } = await sql<{ overlaps: number; deadlocks: number }>`
    select (select count(*)::int from booking.blocks a join booking.blocks b
        on a.host_id = b.host_id and a.during && b.during and a.appointment_id < b.appointment_id) as overlaps,
      (select deadlocks::int from pg_stat_database where datname = current_database()) as deadlocks`.execute(
    server.app.db,
  );
  return rows[0] ?? { overlaps: -1, deadlocks: -1 };
}
afterEach(async () => expect(await countFaults()).toEqual({ overlaps: 0, deadlocks: 0 }));

describe('simultaneous bookings of one time', () => {
  test('one of many simultaneous bookings of a time wins', async () => {
    const { path } = await insertBookable(server, anna, 'intro');
    expectOneWinner(await bookings(clients, path));
  });

  test('one of many simultaneous bookings wins under a daily limit and with overlapping times', async () => {
    const { path } = await insertBookable(server, anna, 'intro', {
      limits: { day: { count: 5 } },
      step_minutes: 5,
      buffer_after_minutes: 15,
    });
    expectOneWinner(await bookings(clients, path, (n) => ({ start: nine + 5 * (n % 6) })));
  });

  test('one of many simultaneous reservations wins, and books its time once', async () => {
    const { path } = await insertBookable(server, anna, 'intro');
    const holds = await Promise.all(Array.from({ length: clients }, () => ask(`${path}/holds`, { start: nine })));
    expectOneWinner(holds);
    const hold = holds.find(({ status }) => status === 201)?.body.hold_id;
    expectOneWinner(await bookings(clients, path, () => ({ hold_id: hold })));
  });

  test('a group accepts as many simultaneous bookings as it has seats', async () => {
    const { path } = await insertBookable(server, anna, 'intro', { kind: 'group', seats: 7 });
    const answers = await bookings(clients, path);
    expect(tally(answers)).toEqual({ 201: 7, '409 SLOT_TAKEN': clients - 7 });
    expect(slowest(answers)).toBeLessThan(patienceMs);
  });

  test('one of many simultaneous moves to a time wins', async () => {
    const { path } = await insertBookable(server, anna, 'intro', { durations_minutes: [5], step_minutes: 5 });
    const most = Math.min(clients, 40);
    const made = await bookings(most, path, (n) => ({ start: nine + 5 * n, hold_id: undefined }));
    const tokens = made.map(({ body }) => (body.bookings as { token: string }[] | undefined)?.[0]?.token);
    await sql`update booking.bookings set mail_confirmed_ms = 0`.execute(server.app.db);
    const moves = await Promise.all(
      tokens
        .filter((token) => token != null)
        .map((token) => ask(`/api/booked/${token}/reschedule`, { start: nine + 300, sequence: 0 })),
    );
    expect(moves.length).toBeGreaterThan(10);
    expectOneWinner(moves, 200);
  });
});

test('one of many simultaneous moves of a booking wins', async () => {
  const { path } = await insertBookable(server, anna, 'intro');
  const [made] = await bookings(1, path);
  const token = (made?.body as undefined | { bookings?: { token: string }[] })?.bookings?.[0]?.token;
  const moves = await Promise.all(
    Array.from({ length: clients }, (_, n) =>
      ask(`/api/booked/${token}/reschedule`, { start: nine + 30 * (1 + (n % 10)), sequence: 0 }),
    ),
  );
  // a request for the winner's time is answered with the move as made
  const wins = moves.filter(({ status }) => status === 200);
  const starts = wins.map(({ body }) => (body.booking as { start: number; sequence: number } | undefined)?.start);
  expect(wins.length).toBeGreaterThan(0);
  expect(new Set(starts).size).toBe(1);
  const others = moves.filter(({ status }) => status !== 200);
  expect(others.map(({ status, body }) => `${status} ${(body.detail as { code: string } | undefined)?.code}`)).toEqual(
    others.map(() => '409 CHANGED_MEANWHILE'),
  );
});

test('one of many simultaneous confirmations of a booking wins', async () => {
  const { path } = await insertBookable(server, anna, 'intro', { confirmation: true });
  await bookings(1, path);
  const headers = { authorization: `Bearer ${anna.token}` };
  const list = await server.inject({ url: '/api/bookings?scope=pending', headers });
  const id = list.json<{ bookings: { booking_id: string }[] }>().bookings[0]?.booking_id;
  const url = `/api/bookings/${id}/confirm`;
  const answers = await Promise.all(Array.from({ length: clients }, () => ask(url, {}, headers)));
  expectOneWinner(answers, 200, '409 TOO_LATE');
});

test('acts over several bookings lock them in one order, whatever order they are given in', async () => {
  const { db } = server.app;
  const { path } = await insertBookable(server, anna, 'intro');
  for (const start of [nine, nine + 24 * 60]) await bookings(1, path, () => ({ start }));
  const { rows } = await sql<{ id: BookingId; appointmentId: string }>`
    select id, appointment_id as "appointmentId" from booking.bookings order by appointment_id`.execute(db);
  const ids = rows.map(({ id }) => id);
  const waiting = await inTransaction(db, async (tx) => {
    await sql`select from booking.appointments where id = ${rows[0]?.appointmentId} for update`.execute(tx);
    const locking = inTransaction(db, (other) => lockBookings(other, ids.toReversed()));
    await waitFor('an act that waits for the first appointment', async () => {
      const blocked = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return blocked.rows.length > 0;
    });
    // the transaction has locked nothing of the second booking yet
    const free = await sql`
      select from booking.appointments a join booking.bookings b on b.appointment_id = a.id
      where b.id = ${ids[1]} for update skip locked`.execute(tx);
    expect(free.rows).toHaveLength(1);
    return { locking };
  });
  await waiting.locking;
});

describe('an act that waits while another act changes the booking', () => {
  /** The answer to an act that began before the other change and waited for it. */
  async function during(change: ReturnType<typeof sql>, act: () => Promise<Answer>): Promise<Answer> {
    const { db } = server.app;
    const answer = await inTransaction(db, async (tx) => {
      await sql`select from booking.appointments for update`.execute(tx);
      const waiting = act();
      await waitFor('an act that waits for the lock', async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        return rows.length > 0;
      });
      await sql`update booking.bookings set ${change}`.execute(tx);
      return { waiting };
    });
    return answer.waiting;
  }
  const entryOf = async (kind: string) => {
    const { rows } = await sql<{ sequence: number; from: string | null }>`
      select (details ->> 'sequence')::int as sequence, details ->> 'from' as from from booking.audit
      where kind = ${kind}`.execute(server.app.db);
    return rows[0];
  };
  async function begin(confirmation: boolean) {
    const { path } = await insertBookable(server, anna, 'intro', { confirmation });
    const [made] = await bookings(1, path);
    const token = (made?.body.bookings as { token: string }[] | undefined)?.[0]?.token;
    const { rows } = await sql<{ id: string }>`select id from booking.bookings`.execute(server.app.db);
    const headers = { authorization: `Bearer ${anna.token}` };
    return {
      asHost: (act: string) => ask(`/api/bookings/${rows[0]?.id}/${act}`, {}, headers),
      asGuest: (act: string) => ask(`/api/booked/${token}/${act}`, {}),
    };
  }
  const moved = sql`sequence = sequence + 1`;

  test('a host cancels during a move: the end has the next sequence', async () => {
    const { asHost } = await begin(false);
    expect(await during(moved, () => asHost('cancel'))).toMatchObject({
      status: 200,
      body: { booking: { sequence: 2 } },
    });
    expect(await entryOf('cancelled')).toEqual({ sequence: 2, from: 'confirmed' });
  });

  test('a guest cancels during a move: the end has the next sequence', async () => {
    const { asGuest } = await begin(false);
    expect((await during(moved, () => asGuest('cancel'))).status).toBe(200);
    expect(await entryOf('cancelled')).toEqual({ sequence: 2, from: 'confirmed' });
  });

  test.each([
    ['confirm', 'confirmed', null],
    ['decline', 'declined', 'pending'],
  ])('a host answers a request (%s) during its move: the answer has the next sequence', async (act, kind, from) => {
    const { asHost } = await begin(true);
    expect((await during(moved, () => asHost(act))).status).toBe(200);
    expect(await entryOf(kind)).toEqual({ sequence: 2, from });
  });

  test('a guest cancels a request during its confirmation: its event is taken out of the calendar', async () => {
    const { asGuest } = await begin(true);
    const confirmed = sql`state = 'confirmed', confirmed_ms = created_ms`;
    expect((await during(confirmed, () => asGuest('cancel'))).status).toBe(200);
    expect(await entryOf('cancelled')).toEqual({ sequence: 1, from: 'confirmed' });
  });
});

test('several bookings take one time when the exclusion constraint is dropped', async () => {
  const { path } = await insertBookable(server, anna, 'intro', { step_minutes: 5 });
  const { db } = server.app;
  await sql`alter table booking.blocks drop constraint blocks_never_overlap`.execute(db);
  try {
    // on a busy machine, the bookings of one round may come one after another
    let made = 0;
    for (let round = 0; round < 5 && made < 2; round += 1) {
      await sql`truncate booking.appointments cascade`.execute(db);
      const answers = await bookings(clients, path, (n) => ({ start: nine + 5 * (n % 6) }));
      made = answers.filter(({ status }) => status === 201).length;
    }
    expect(made).toBeGreaterThan(1);
    expect((await countFaults()).overlaps).toBeGreaterThan(0);
  } finally {
    await sql`truncate booking.appointments cascade`.execute(db);
    await sql`alter table booking.blocks add constraint blocks_never_overlap
      exclude using gist (host_id with =, during with &&)`.execute(db);
  }
});
