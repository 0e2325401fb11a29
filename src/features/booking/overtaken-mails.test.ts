import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BookingId, TeamId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { claimMails, expireMails, listOverdueMails, postponeMail, withdrawMails } from '#platform/mail-outbox.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { readMails } from '../../../test/harness/read-mails.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import { waitFor } from '../../../test/harness/wait-for.ts';
import { bookingContract } from './contract.ts';
import { remindPeople } from './remind-people.ts';
import type { Made } from './rules/booking-endpoints.ts';
import type { TypeSettings } from './rules/type-settings.ts';
import { tellBooking } from './tell-booking.ts';

/** Mails about bookings that wait in the outbox while things change. Without an SMTP server they all wait. */

const minute = 60_000;
const clock = fixedClock('2027-03-01T13:00:00Z');
/** A Monday, nine o'clock in New York. */
const nine = Date.UTC(2027, 2, 8, 14);

let server: TestApp;
let teamId: TeamId;
let [anna, ben]: TestUser[] = [];
beforeAll(async () => {
  server = await startTestApp({ clock });
  anna = await signUpUser(server, 'anna@example.org');
  ben = await signUpUser(server, 'ben@example.org');
  await sql`update accounts.users set zone = 'America/New_York'`.execute(server.app.db);
  teamId = await insertTeam(server, 'sales', [{ user: anna }, { user: ben }]);
});
beforeEach(async () => {
  await server.settle();
  clock.set('2027-03-01T13:00:00Z');
  await sql`truncate booking.appointments, platform.mails cascade`.execute(server.app.db);
});
afterAll(() => server.close());

let slugs = 0;
async function book(settings: Partial<TypeSettings> = {}) {
  slugs += 1;
  const mates = [anna, ben].map((user, n) => ({ user: user as TestUser, priority: n + 1 }));
  const type = { kind: 'round-robin' as const, slug: `demo-${slugs}`, ...settings };
  const { path } = await insertTeamType(server, { teamId, handle: 'sales' }, mates, type);
  const email = `guest-${slugs}@example.net`;
  const payload = { start: nine / minute, name: 'Bo', email, zone: 'Europe/Berlin' };
  const remoteAddress = `10.2.0.${slugs}`;
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload, remoteAddress });
  expect(response.statusCode, response.body).toBe(201);
  await server.settle();
  const { rows } = await sql<{ id: string }>`select id from booking.bookings`.execute(server.app.db);
  return { email, id: rows[0]?.id as never, token: response.json<Made>().bookings[0]?.token ?? '' };
}

/** Kinds of the mails to somebody that are still to be sent. */
async function waiting(to: string | undefined): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from platform.mails where recipient = ${to} and state = 'queued' and kind like 'booking.%'
    order by created_at, id`.execute(server.app.db);
  return rows.map(({ kind }) => kind.replace('booking.', ''));
}

async function remind() {
  clock.set(new Date(nine - 86_400_000 + 30_000).toISOString());
  await remindPeople(server.app, new AbortController().signal);
}

test('a reminder that waits while its booking moves is withdrawn for guest and host', async () => {
  const { email, token } = await book();
  await remind();
  expect([(await waiting(email)).at(-1), (await waiting(anna?.email)).at(-1)]).toEqual(['reminder', 'reminder']);
  const payload = { start: nine / minute + 60, sequence: 0 };
  const moved = await server.inject({ method: 'POST', url: `/api/booked/${token}/reschedule`, payload });
  expect(moved.statusCode, moved.body).toBe(200);
  await server.settle();
  expect(await waiting(email)).toEqual(['rescheduled']);
  expect(await waiting(anna?.email)).toEqual(['rescheduled']);
});

test('a reminder that waits while its booking is canceled is withdrawn', async () => {
  const { email, token } = await book();
  await remind();
  await server.inject({ method: 'POST', url: `/api/booked/${token}/cancel`, payload: {} });
  await server.settle();
  expect(await waiting(email)).toEqual(['cancelled']);
  expect(await waiting(anna?.email)).toEqual(['cancelled']);
});

test('mails that wait for a host are withdrawn when another host takes the booking', async () => {
  const { email, id } = await book();
  await remind();
  const params = { booking_id: id };
  await anna?.as(bookingContract).reassignBooking({ params, body: { to: ben?.userId as never, sequence: 0 } });
  await server.settle();
  expect(await waiting(anna?.email)).toEqual([]);
  expect(await waiting(ben?.email)).toEqual(['reassigned']);
  expect(await waiting(email)).toEqual(['reassigned']);
});

test('a question that waits for a host is withdrawn when another has answered it', async () => {
  const { email, id } = await book({ confirmation: true });
  expect(await waiting(anna?.email)).toEqual(['requested']);
  await anna?.as(bookingContract).confirmBooking({ params: { booking_id: id }, body: {} });
  await server.settle();
  expect(await waiting(anna?.email)).toEqual([]);
  expect(await waiting(email)).toEqual(['confirmed']);
});

/** The mail of a kind to somebody as a worker that is sending it has it, and the batch that it is of. */
async function beginToSend(to: string, kind: string) {
  const { db, keyring } = server.app;
  const { rows } = await sql<{ batch: string }>`
    select coalesce(batch, id) as batch from platform.mails where recipient = ${to} and kind = ${`booking.${kind}`}`.execute(
    db,
  );
  const batch = rows[0]?.batch ?? '';
  const mail = (await claimMails(db, keyring, batch, 100)).find((one) => one.to === to);
  if (mail === undefined) throw new Error('no such mail');
  return { mail, batch };
}

/** Attempts that begin when the jobs of a mail run again. */
async function beginAgain({ mail, batch }: Awaited<ReturnType<typeof beginToSend>>) {
  const { db, keyring } = server.app;
  const claimed = await Promise.all([batch, mail.id].map((id) => claimMails(db, keyring, id, 100)));
  return claimed.flat().filter(({ id }) => id === mail.id);
}

test('a mail whose attempt fails while it is overtaken is not sent again, and counts as withdrawn', async () => {
  const { email, token } = await book();
  const { db } = server.app;
  const sending = await beginToSend(email, 'confirmed');
  await server.inject({ method: 'POST', url: `/api/booked/${token}/cancel`, payload: {} });
  await server.settle();
  // the server was busy
  expect(await postponeMail(db, sending.mail, { afterMs: 0, error: '451 busy' })).toBe(true);
  expect(await beginAgain(sending)).toEqual([]);
  expect((await waiting(email)).at(-1)).toBe('cancelled');
  await expireMails(db);
  const { rows } = await sql<{ error: string }>`select error from platform.mails where id = ${sending.mail.id}`.execute(
    db,
  );
  expect(rows[0]?.error).toBe('withdrawn');
});

test('a mail whose attempt begins in the moment of its withdrawal is not sent again', async () => {
  const { email } = await book();
  const { db, keyring } = server.app;
  const { rows } = await sql<{ id: string; batch: string; key: string }>`
    select id, batch, key from platform.mails where recipient = ${email} and kind = 'booking.confirmed'`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('no mail');
  const { claimed, withdrawal } = await inTransaction(db, async (tx) => {
    const begun = await claimMails(tx, keyring, row.batch, 100);
    const withdrawal = inTransaction(db, (other) => withdrawMails(other, [row.key]));
    await waitFor('a withdrawal that waits for the attempt', async () => {
      const waits = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return waits.rows.length > 0;
    });
    return { claimed: begun, withdrawal: [withdrawal] };
  });
  await Promise.all(withdrawal);
  const mail = claimed.find(({ id }) => id === row.id);
  if (mail === undefined) throw new Error('no attempt');
  await postponeMail(db, mail, { afterMs: 0, error: '451 busy' });
  expect(await beginAgain({ mail, batch: row.batch })).toEqual([]);
});

// the server was busy, or the worker died and its job comes back
test.each(['fails', 'is lost'])(
  'a mail about a move whose attempt %s does not go out again while the mail about the next move waits',
  async (end) => {
    const { email, token } = await book();
    const { db } = server.app;
    const move = async (start: number, sequence: number) => {
      const payload = { start: start / minute, sequence };
      const moved = await server.inject({ method: 'POST', url: `/api/booked/${token}/reschedule`, payload });
      expect(moved.statusCode, moved.body).toBe(200);
      await server.settle();
    };
    await move(nine + 60 * minute, 0);
    const sending = await beginToSend(email, 'rescheduled');
    clock.advance({ minutes: 1 });
    await move(nine + 120 * minute, 1);
    if (end === 'fails') await postponeMail(db, sending.mail, { afterMs: 0, error: '451 busy' });
    expect(await beginAgain(sending)).toEqual([]);
    await sql`update platform.mails set next_attempt_at = now() - interval '1 minute'`.execute(db);
    const overdue = (await listOverdueMails(db, 100)).map(({ id }) => id);
    expect(overdue).not.toContain(sending.mail.id);
  },
);

test('a reassignment that is told again by a repeated job is told once', async () => {
  const { email, id } = await book();
  const params = { booking_id: id };
  await anna?.as(bookingContract).reassignBooking({ params, body: { to: ben?.userId as never, sequence: 0 } });
  await server.settle();
  await tellBooking(server.app, { bookingId: id, what: 'reassigned', sequence: 1 }, { mayWait: false });
  expect([await waiting(email), await waiting(ben?.email)]).toEqual([['reassigned'], ['reassigned']]);
});

test('two jobs that tell of one booking at once tell its guest once', async () => {
  const { db } = server.app;
  const { path } = await insertBookable(server, anna as TestUser, 'weekly', { recurring: { max: 3, every: 'week' } });
  const email = 'series@example.net';
  const payload = { start: nine / minute, times: 3, name: 'Bo', email, zone: 'Europe/Berlin' };
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  expect(response.statusCode, response.body).toBe(201);
  const tokens = response.json<Made>().bookings.map(({ token }) => token);
  // the last one moves before anybody was told of the three
  const moved = { start: nine / minute + 15 * 1_440, sequence: 0 };
  await server.inject({ method: 'POST', url: `/api/booked/${tokens[2]}/reschedule`, payload: moved });
  await server.settle();
  await sql`update booking.bookings set told = null`.execute(db);
  await sql`truncate platform.mails cascade`.execute(db);
  const { rows } = await sql<{ id: BookingId; sequence: number }>`
    select b.id, b.sequence from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    order by a.start_ms`.execute(db);
  const [first, , last] = rows;
  const tell = (one: typeof first, what: 'confirmed' | 'rescheduled') =>
    tellBooking(
      server.app,
      { bookingId: one?.id as BookingId, sequence: one?.sequence ?? 0, what },
      { mayWait: false },
    );
  const jobs = await inTransaction(db, async (tx) => {
    await sql`select from booking.bookings for update`.execute(tx);
    const both = [tell(first, 'confirmed'), tell(last, 'rescheduled')];
    await waitFor('two jobs that wait for the bookings', async () => {
      const waiting = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return waiting.rows.length >= 2;
    });
    return { both };
  });
  await Promise.all(jobs.both);
  const mails = await readMails(server, email);
  const named = (day: RegExp) => mails.filter(({ content }) => day.test(JSON.stringify(content))).length;
  // in one mail or two, by the order of the jobs
  expect([/Mar(ch)? 8/, /Mar(ch)? 15/, /Mar(ch)? 23/].map(named)).toEqual([1, 1, 1]);
});

test('the mail about a canceled date waits for the mail that confirms its series, and no other mail of the guest does', async () => {
  const { path } = await insertBookable(server, anna as TestUser, 'courses', { recurring: { max: 3, every: 'week' } });
  const email = 'courses@example.net';
  const payload = { start: nine / minute, times: 3, name: 'Bo', email, zone: 'Europe/Berlin' };
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  const tokens = response.json<Made>().bookings.map(({ token }) => token);
  await server.settle();
  const { db, keyring } = server.app;
  // the server was busy
  const sending = await beginToSend(email, 'confirmed');
  await postponeMail(db, sending.mail, { afterMs: 15_000, error: '451 busy' });
  await server.inject({ method: 'POST', url: `/api/booked/${tokens[1]}/cancel`, payload: {} });
  await server.settle();
  expect(await waiting(email)).toEqual(['confirmed', 'cancelled']);
  const begin = async (kind: string) => {
    const { rows } = await sql<{ batch: string }>`
      select coalesce(batch, id) as batch from platform.mails where recipient = ${email} and kind = ${`booking.${kind}`}`.execute(
      db,
    );
    const claimed = await claimMails(db, keyring, rows[0]?.batch ?? '', 100);
    return claimed.filter(({ to }) => to === email).length;
  };
  expect(await begin('cancelled')).toBe(0);
  await sql`update platform.mails set next_attempt_at = now() where recipient = ${email}`.execute(db);
  expect(await begin('confirmed')).toBe(1);
  expect(await begin('cancelled')).toBe(0);
  await sql`update platform.mails set state = 'sent', body = null, settled_at = now()
    where recipient = ${email} and kind = 'booking.confirmed'`.execute(db);
  expect(await begin('cancelled')).toBe(1);
});

test('two times of a series that are canceled in the same millisecond are both told', async () => {
  const { path } = await insertBookable(server, anna as TestUser, 'classes', { recurring: { max: 3, every: 'week' } });
  const email = 'classes@example.net';
  const payload = { start: nine / minute, times: 3, name: 'Bo', email, zone: 'Europe/Berlin' };
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  const [first, , last] = response.json<Made>().bookings;
  await server.settle();
  for (const one of [first, last]) {
    await server.inject({ method: 'POST', url: `/api/booked/${one?.token}/cancel`, payload: {} });
    await server.settle();
  }
  expect((await waiting(email)).filter((kind) => kind === 'cancelled')).toHaveLength(2);
});

test('a guest and a host who each cancel dates of a series in one millisecond are each named for their own dates', async () => {
  const { path } = await insertBookable(server, anna as TestUser, 'lessons', { recurring: { max: 4, every: 'week' } });
  const email = 'lessons@example.net';
  const payload = { start: nine / minute, times: 4, name: 'Bo', email, zone: 'Europe/Berlin' };
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  const tokens = response.json<Made>().bookings.map(({ token }) => token);
  await server.settle();
  await sql`truncate platform.mails cascade`.execute(server.app.db);
  const { rows } = await sql<{ id: BookingId; told: string }>`
    select b.id, b.told::text as told from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    order by a.start_ms`.execute(server.app.db);
  await inTransaction(server.app.db, async (tx) => {
    await sql`select from booking.appointments for update`.execute(tx);
    const acts = [
      server.inject({ method: 'POST', url: `/api/booked/${tokens[0]}/cancel`, payload: {} }),
      anna!
        .as(bookingContract)
        .cancelBooking({ params: { booking_id: rows[2]!.id }, body: { following: true, reason: 'Holidays' } }),
    ];
    await waitFor('two acts that wait for the dates', async () => {
      const blocked = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(server.app.db);
      return blocked.rows.length >= 2;
    });
    void Promise.all(acts);
  });
  await waitFor('both acts', async () => {
    const { rows: over } = await sql`select from booking.bookings where state = 'cancelled'`.execute(server.app.db);
    return over.length === 3;
  });
  await server.settle();
  // as if both acts were done before anybody was told of one of them
  await sql`truncate platform.mails cascade`.execute(server.app.db);
  for (const { id, told } of rows)
    await sql`update booking.bookings set told = ${told}::jsonb where id = ${id}`.execute(server.app.db);
  const ended = [rows[2]!, rows[3]!, rows[0]!];
  for (const { id } of ended)
    await tellBooking(server.app, { bookingId: id, what: 'cancelled', sequence: 1 }, { mayWait: false });
  const mails = (await readMails(server, email)).map(({ subject, content }) => {
    const all = JSON.stringify(content);
    return {
      heading: content.heading,
      days: ['March 8', 'Mar 15', 'Mar 22', 'Mar 29'].filter((day) => `${subject} ${all}`.includes(day)),
      hasReason: all.includes('"Reason"'),
    };
  });
  expect(mails.toSorted((one, other) => one.days.length - other.days.length)).toEqual([
    { heading: expect.stringMatching(/^You canceled .+ \(date 1 of 4\)$/), days: ['March 8'], hasReason: false },
    {
      heading: expect.stringMatching(/^.+ canceled your meeting \(2 of the 4 dates in this series\)$/),
      days: ['Mar 22', 'Mar 29'],
      hasReason: true,
    },
  ]);
  // the host hears of the date that the guest gave up, and of no other
  expect(await waiting(anna?.email)).toEqual(['cancelled']);
});

test('a guest who cancels a date before anybody was told of the series reads of the series first', async () => {
  const { db } = server.app;
  const { path } = await insertBookable(server, anna as TestUser, 'talks', { recurring: { max: 3, every: 'week' } });
  const email = 'talks@example.net';
  const payload = { start: nine / minute, times: 3, name: 'Bo', email, zone: 'Europe/Berlin' };
  const response = await server.inject({ method: 'POST', url: `${path}/bookings`, payload });
  const [, , last] = response.json<Made>().bookings.map(({ token }) => token);
  await server.settle();
  await server.inject({ method: 'POST', url: `/api/booked/${last}/cancel`, payload: {} });
  await server.settle();
  // as if the confirmation still waited for the links of its meetings
  await sql`update booking.bookings set told = null where state = 'confirmed'`.execute(db);
  await sql`update booking.bookings set told = jsonb_set(told, '{state}', '"confirmed"') where state = 'cancelled'`.execute(
    db,
  );
  await sql`truncate platform.mails cascade`.execute(db);
  const { rows } = await sql<{ id: BookingId }>`select id from booking.bookings where state = 'cancelled'`.execute(db);
  const change = { bookingId: rows[0]?.id as BookingId, what: 'cancelled', sequence: 1 } as const;
  expect(await tellBooking(server.app, change, { mayWait: true })).toBe(false);
  expect(await waiting(email)).toEqual([]);
  expect(await tellBooking(server.app, change, { mayWait: false })).toBe(true);
  expect(await waiting(email)).toEqual(['confirmed', 'cancelled']);
});

/** Attempts that would begin now, of the mails to somebody that wait. */
async function due(to: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(batch, id) as id from platform.mails
    where recipient = ${to} and kind = 'booking.rescheduled' and state = 'queued'`.execute(server.app.db);
  const { db, keyring } = server.app;
  const claimed = await Promise.all(rows.map(({ id }) => claimMails(db, keyring, id, 100)));
  return claimed.flat().filter((mail) => mail.to === to).length;
}

test('a mail about a move does not go out while the mail about the next move waits, and the guest reads the last time', async () => {
  const { email, id, token } = await book();
  const move = async (start: number, sequence: number) => {
    const payload = { start: start / minute, sequence };
    const moved = await server.inject({ method: 'POST', url: `/api/booked/${token}/reschedule`, payload });
    expect(moved.statusCode, moved.body).toBe(200);
    await server.settle();
  };
  await move(nine + 60 * minute, 0);
  expect(await waiting(email)).toEqual(['rescheduled']);
  clock.advance({ minutes: 1 });
  await move(nine + 120 * minute, 1);
  expect([await due(email), await due(anna?.email ?? '')]).toEqual([0, 0]);
  // the rest is over
  await tellBooking(server.app, { bookingId: id, what: 'rescheduled', sequence: 2 }, { mayWait: false });
  expect(await waiting(email)).toEqual(['rescheduled']);
  const [mail] = (await readMails(server, email)).filter(({ kind }) => kind === 'booking.rescheduled');
  // 9:00 in New York is 15:00 in Berlin, and two hours later it is 17:00
  expect(mail?.subject).toMatch(/17:00|5:00/);
  expect(await due(email)).toBe(1);
});

test('a mail that was put off goes out when its booking is back at the time that it names', async () => {
  const { email, id, token } = await book();
  for (const [n, hours] of [1, 2, 1].entries()) {
    const payload = { start: nine / minute + hours * 60, sequence: n };
    await server.inject({ method: 'POST', url: `/api/booked/${token}/reschedule`, payload });
    await server.settle();
    clock.advance({ minutes: 1 });
  }
  await tellBooking(server.app, { bookingId: id, what: 'rescheduled', sequence: 3 }, { mayWait: false });
  const mails = (await readMails(server, email)).filter(({ kind }) => kind === 'booking.rescheduled');
  expect(mails.map(({ subject }) => /16:00|4:00/.test(subject))).toEqual([true]);
  expect(await due(email)).toBe(0);
  await sql`update platform.mails set not_before = now()`.execute(server.app.db);
  expect(await due(email)).toBe(1);
});
