import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookingChanged } from '#features/booking/events.ts';
import { bookingTokenPlace } from '#features/booking/rules/booking-address.ts';
import { writeProof } from '#features/booking/write-proof.ts';
import { routingContract } from '#features/routing/contract.ts';
import { formSubmitted } from '#features/routing/events.ts';
import { memberLeft } from '#features/teams/events.ts';
import type { BookingId, StepId } from '#kernel/ids.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import type { MailMessage } from '#platform/mail-message.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { insertTeam, insertTeamType } from '../../../test/harness/bookable-team.ts';
import { builtPages } from '../../../test/harness/built-pages.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { insertOwnAccount } from '../../../test/harness/own-account.ts';
import { proveGuests } from '../../../test/harness/prove-guests.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../test/harness/smtp-server.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import type { Action } from './rules/action.ts';
import type { Definition } from './rules/definition.ts';
import { filledLimits } from './rules/variables.ts';
import type { RunView, WorkflowView } from './rules/workflow-endpoints.ts';
import { followTroubles } from './runs/planning.ts';
import { followMails } from './runs/runs.ts';
import { claimDue, sendDue } from './runs/sending.ts';
import { confirmReader } from './store/reader-rows.ts';

const minute = 60_000;
const clock = fixedClock('2027-03-01T08:00:00Z');
/** Mondays, nine o'clock in New York, before and after the change of the clock. */
const monday = Date.UTC(2027, 2, 8, 14);
const next = Date.UTC(2027, 2, 15, 13);

let server: TestApp;
let smtp: TestSmtpServer;
let anna: TestUser;
let bert: TestUser;
let count = 0;

beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startTestApp({ clock, config: { smtpUrl: smtp.url }, http: { pageRoot: await builtPages() } });
  anna = await signUpUser(server, 'anna@example.org');
  bert = await signUpUser(server, 'bert@example.org');
  await proveGuests(server);
  await sql`update accounts.users set zone = 'America/New_York'`.execute(server.app.db);
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});
beforeEach(async () => {
  await server.settle();
  clock.set('2027-03-01T08:00:00Z');
  await sql`truncate booking.appointments, workflows.workflows cascade`.execute(server.app.db);
});

const asUser = (user: TestUser) => ({ authorization: `Bearer ${user.token}` });
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

async function call<Answer>(
  method: Method,
  url: string,
  payload?: object,
  { user = anna, status = 200 } = {},
): Promise<Answer> {
  const response = await server.inject({
    method,
    url,
    headers: asUser(user),
    ...(payload === undefined ? {} : { payload }),
  });
  expect(response.statusCode, response.body).toBe(status);
  return response.body === '' ? (undefined as Answer) : response.json<Answer>();
}

const mailTo = (to: string, change: object = {}): Action =>
  ({
    kind: 'send-email',
    to,
    subject: 'Soon: {event_name}',
    body: 'Hello {guest_name}, {event_time}.',
    ics: false,
    ...change,
  }) as Action;

function definition(change: Partial<Definition> = {}, ...actions: Action[]): Definition {
  return {
    trigger: 'before-event',
    offset: { amount: 24, unit: 'hours' },
    filter: { event_type_ids: null },
    if_past: 'skip',
    if_late: 'skip',
    quiet_hours: null,
    steps: (actions.length === 0 ? [mailTo('guest')] : actions).map((action) => ({
      id: randomUUID() as StepId,
      action,
    })),
    ...change,
  };
}

async function makeWorkflow(made: Definition, name = 'Reminder'): Promise<WorkflowView> {
  const { workflow } = await call<{ workflow: WorkflowView }>(
    'POST',
    '/api/workflows',
    { name, definition: made },
    { status: 201 },
  );
  await server.settle();
  return workflow;
}

interface Booked {
  id: string;
  email: string;
  token: string;
}

async function book({
  start = monday,
  settings = {},
  body = {},
}: {
  start?: number;
  settings?: object;
  body?: object;
} = {}): Promise<Booked & { typeId: string }> {
  count += 1;
  const { path, typeId } = await insertBookable(server, anna, `intro-${count}`, settings);
  const email = `guest-${count}@example.net`;
  const response = await server.inject({
    method: 'POST',
    url: `${path}/bookings`,
    payload: { start: start / minute, name: 'Gus Guest', email, zone: 'Asia/Tokyo', language: 'en', ...body },
  });
  expect(response.statusCode, response.body).toBe(201);
  await server.settle();
  const { bookings } = response.json<{ bookings: { token: string; booking: { id: string } }[] }>();
  const { rows } = await sql<{
    id: string;
  }>`select id from booking.bookings where guest_email = ${email} order by created_ms desc limit 1`.execute(
    server.app.db,
  );
  return { id: rows[0]?.id ?? '', email, token: bookings[0]?.token ?? '', typeId };
}

async function asGuest(token: string, act: string, payload: object = {}) {
  const response = await server.inject({ method: 'POST', url: `/api/booked/${token}/${act}`, payload });
  expect(response.statusCode, response.body).toBe(200);
  await server.settle();
}

/** Runs all due jobs, as a worker does. */
async function work() {
  await sendDue(server.app, 'mail', new AbortController().signal);
  await server.settle();
  clock.advance({ seconds: 6 });
  await followMails(server.app, new AbortController().signal);
}

async function runsOf(id: string): Promise<RunView[]> {
  return (await call<{ runs: RunView[] }>('GET', `/api/workflows/${id}/runs`)).runs;
}

const fromSteps = (address: string) =>
  smtp.mailsTo(address).filter(({ parsed }) => /^(Soon|Thanks|Test)/.test(parsed.subject ?? ''));

test('a reminder is planned at booking, sent once when due, and its run log shows the delivery', async () => {
  const { id } = await makeWorkflow(definition());
  const { email } = await book();
  expect(await runsOf(id)).toMatchObject([
    { state: 'planned', due_at: '2027-03-07T14:00:00Z', guest: 'Gus Guest', about: 'Intro', step: 1 },
  ]);
  clock.set('2027-03-07T13:59:59Z');
  await work();
  expect(fromSteps(email)).toEqual([]);
  clock.set('2027-03-07T14:00:02Z');
  await work();
  await work();
  const [mail, ...more] = fromSteps(email);
  expect(more).toEqual([]);
  expect(mail?.parsed.subject).toContain('Intro');
  expect(mail?.parsed.text).toMatch(/Hello .*Gus Guest.*, 11:00.PM GMT\+9\./);
  expect(await runsOf(id)).toMatchObject([
    { state: 'done', attempts: [{ outcome: 'done' }], mails: [{ to: email, state: 'sent', attempts: 1 }] },
  ]);
});

test('a reminder moves with its booking, and a booking moved after it was sent gets another', async () => {
  const { id } = await makeWorkflow(definition());
  const { email, token } = await book();
  await asGuest(token, 'reschedule', { sequence: 0, start: (monday + 60 * minute) / minute });
  expect(await runsOf(id)).toMatchObject([{ state: 'planned', due_at: '2027-03-07T15:00:00Z' }]);
  clock.set('2027-03-07T15:00:00Z');
  await work();
  await asGuest(token, 'reschedule', { sequence: 1, start: next / minute });
  expect(await runsOf(id)).toMatchObject([{ state: 'planned', due_at: '2027-03-14T13:00:00Z' }, { state: 'done' }]);
  clock.set('2027-03-14T13:00:00Z');
  await work();
  expect(fromSteps(email)).toHaveLength(2);
});

test('a reminder of a suspended user waits and is sent once after resuming', async () => {
  const { id } = await makeWorkflow(definition({ if_late: 'send' }));
  const { email } = await book();
  const suspend = (at: unknown) =>
    sql`update accounts.users set suspended_at = ${at} where id = ${anna.userId}`.execute(server.app.db);
  await suspend(sql`now()`);
  for (const at of ['2027-03-07T14:00:02Z', '2027-03-07T15:00:00Z']) {
    clock.set(at);
    await work();
  }
  expect(fromSteps(email)).toEqual([]);
  await suspend(null);
  expect(await runsOf(id)).toMatchObject([{ state: 'planned', attempts: [] }]);
  for (const at of ['2027-03-07T15:11:00Z', '2027-03-07T15:30:00Z']) {
    clock.set(at);
    await work();
  }
  expect(fromSteps(email)).toHaveLength(1);
});

test('a cancelled booking withdraws its planned and queued workflow mails', async () => {
  const before = await makeWorkflow(definition());
  const after = await makeWorkflow(
    definition(
      { trigger: 'booking-cancelled', offset: { amount: 0, unit: 'minutes' } },
      mailTo('guest', { subject: 'Thanks anyway' }),
    ),
  );
  const { email, token } = await book();
  clock.set('2027-03-07T14:00:00Z');
  smtp.next({ at: 'mail', answer: '451 4.3.0 later' });
  await sendDue(server.app, 'mail', new AbortController().signal);
  await expect
    .poll(async () => (await runsOf(before.id))[0])
    .toMatchObject({ state: 'handed', mails: [{ state: 'queued', error: expect.stringContaining('451') }] });
  await asGuest(token, 'cancel');
  await work();
  expect(await runsOf(before.id)).toMatchObject([{ state: 'skipped', reason: 'withdrawn' }]);
  expect(await runsOf(after.id)).toMatchObject([{ state: 'done' }]);
  expect(fromSteps(email).map(({ parsed }) => parsed.subject)).toEqual(['Thanks anyway']);
});

test('due reminders are sent together, and one being cancelled concurrently waits and is skipped', async () => {
  const { id } = await makeWorkflow(definition({ if_late: 'send' }));
  const booked = [
    await book(),
    await book({ start: monday + 60 * minute }),
    await book({ start: monday + 120 * minute }),
  ];
  clock.set('2027-03-07T16:00:00Z');
  const [held] = booked;
  const cancelling = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const change = inTransaction(server.app.db, async (tx) => {
    await sql`update booking.bookings set state = 'cancelled', sequence = sequence + 1 where id = ${held?.id}`.execute(
      tx,
    );
    begun.resolve();
    await cancelling.promise;
  });
  await begun.promise;
  const sending = sendDue(server.app, 'mail', new AbortController().signal);
  const count = async (wanted: string) => (await runsOf(id)).filter(({ state }) => state === wanted).length;
  // the others do not wait
  await expect.poll(() => count('handed')).toBe(2);
  expect(await count('claimed')).toBe(1);
  cancelling.resolve();
  await Promise.all([change, sending]);
  await work();
  expect([await count('done'), await count('skipped')]).toEqual([2, 1]);
  expect(booked.map(({ email }) => fromSteps(email).length)).toEqual([0, 1, 1]);
});

test('bookings that their host cancels together send one mail', async () => {
  await makeWorkflow(definition({ trigger: 'booking-cancelled', offset: { amount: 0, unit: 'minutes' } }));
  const booked = await book({ settings: { recurring: { max: 4, every: 'week' } }, body: { times: 3 } });
  const { rows } = await sql<{ id: string }>`
    select b.id from booking.bookings b join booking.appointments a on a.id = b.appointment_id
    where b.guest_email = ${booked.email} order by a.start_ms limit 1`.execute(server.app.db);
  await call('POST', `/api/bookings/${rows[0]?.id}/cancel`, { following: true });
  await work();
  expect(fromSteps(booked.email)).toHaveLength(1);
  const { rows: ended } = await sql`select from booking.bookings where state = 'cancelled'`.execute(server.app.db);
  expect(ended).toHaveLength(3);
});

test('bookings cancelled together send one mail, and each cancelled alone sends its own', async () => {
  const { id } = await makeWorkflow(
    definition(
      { trigger: 'booking-cancelled', offset: { amount: 0, unit: 'minutes' } },
      mailTo('guest', { subject: 'Thanks anyway' }),
    ),
  );
  const settings = { recurring: { max: 4, every: 'week' } };
  const together = await book({ settings, body: { times: 3 } });
  await asGuest(together.token, 'cancel', { following: true });
  await work();
  expect(fromSteps(together.email)).toHaveLength(1);
  const reasons = (await runsOf(id)).map(({ reason }) => reason);
  expect(reasons.filter((reason) => reason === 'together')).toHaveLength(2);
  expect(reasons).toHaveLength(3);
  const alone = await book({ settings, start: monday + 120 * minute, body: { times: 2 } });
  await asGuest(alone.token, 'cancel');
  clock.advance({ minutes: 1 });
  const { rows } = await sql<{ id: string; token: string }>`
    select id, token from booking.bookings where guest_email = ${alone.email} and state = 'confirmed'`.execute(
    server.app.db,
  );
  for (const one of rows)
    await asGuest(server.app.keyring.open(one.token, bookingTokenPlace(one.id as never)), 'cancel');
  await work();
  expect(fromSteps(alone.email)).toHaveLength(2);
});

test('a reminder already past at booking is skipped with its reason, or sent at once when so configured', async () => {
  const skips = await makeWorkflow(definition());
  const sends = await makeWorkflow(definition({ if_past: 'send-now' }));
  clock.set('2027-03-08T10:00:00Z');
  const { email } = await book();
  await work();
  expect(await runsOf(skips.id)).toMatchObject([{ state: 'skipped', reason: 'past' }]);
  expect(await runsOf(sends.id)).toMatchObject([{ state: 'done' }]);
  expect(fromSteps(email)).toHaveLength(1);
});

test('a late reminder is skipped unless the workflow allows late sending', async () => {
  const skips = await makeWorkflow(definition());
  const sends = await makeWorkflow(definition({ if_late: 'send' }));
  const { email } = await book();
  clock.set('2027-03-07T14:11:00Z');
  await work();
  expect(await runsOf(skips.id)).toMatchObject([{ state: 'skipped', reason: 'late' }]);
  expect(await runsOf(sends.id)).toMatchObject([{ state: 'done' }]);
  expect(fromSteps(email)).toHaveLength(1);
});

test('a workflow edit creates a version that planned runs follow, and a stale edit is refused', async () => {
  const made = definition();
  const { id } = await makeWorkflow(made);
  const { email } = await book();
  const edited = {
    ...made,
    offset: { amount: 2, unit: 'hours' as const },
    steps: made.steps.map((step) => ({ ...step, action: mailTo('guest', { subject: 'Soon, anew' }) })),
  };
  await call('PUT', `/api/workflows/${id}`, { version: 1, name: 'Reminder', definition: edited });
  await server.settle();
  expect(await runsOf(id)).toMatchObject([{ state: 'planned', version: 2, due_at: '2027-03-08T12:00:00Z' }]);
  await call('PUT', `/api/workflows/${id}`, { version: 1, name: 'Reminder', definition: made }, { status: 409 });
  const { versions } = await call<{ versions: { n: number; definition: Definition }[] }>(
    'GET',
    `/api/workflows/${id}/versions`,
  );
  expect(versions.map(({ n, definition: { offset } }) => [n, offset.amount])).toEqual([
    [2, 2],
    [1, 24],
  ]);
  clock.set('2027-03-08T12:00:00Z');
  await work();
  expect(fromSteps(email).map(({ parsed }) => parsed.subject)).toEqual(['Soon, anew']);
  // 55 more: the last 50 stay, and the one that a run of the log went out by
  for (let version = 2; version < 57; version += 1) {
    await call('PUT', `/api/workflows/${id}`, { version, name: `Reminder ${version}`, definition: edited });
  }
  const { rows } = await sql<{ n: number }>`
    select n from workflows.versions where workflow_id = ${id} order by n`.execute(server.app.db);
  expect(rows.map(({ n }) => n)).toEqual([2, ...Array.from({ length: 50 }, (_, at) => at + 8)]);
});

test('a paused or deleted workflow sends nothing, and resuming or restoring plans again', async () => {
  const { id } = await makeWorkflow(definition());
  await book();
  await call('PATCH', `/api/workflows/${id}`, { active: false });
  await server.settle();
  expect(await runsOf(id)).toMatchObject([{ state: 'skipped', reason: 'paused' }]);
  await call('PATCH', `/api/workflows/${id}`, { active: true });
  await server.settle();
  expect(await runsOf(id)).toMatchObject([{ state: 'planned' }]);
  await call('DELETE', `/api/workflows/${id}`, undefined, { status: 204 });
  await server.settle();
  expect((await call<{ workflows: object[] }>('GET', '/api/workflows')).workflows).toEqual([]);
  await call('POST', `/api/workflows/${id}/restore`);
  await server.settle();
  expect(await runsOf(id)).toMatchObject([{ state: 'planned' }]);
});

test('a workflow created after bookings plans upcoming ones of its event types', async () => {
  const { typeId } = await book();
  await book({ start: next });
  const all = await makeWorkflow(definition());
  const one = await makeWorkflow(definition({ filter: { event_type_ids: [typeId as never] } }));
  expect((await runsOf(all.id)).map(({ state }) => state)).toEqual(['planned', 'planned']);
  expect(await runsOf(one.id)).toMatchObject([{ state: 'planned', due_at: '2027-03-07T14:00:00Z' }]);
  await call('PUT', `/api/workflows/${all.id}`, {
    version: 1,
    name: 'x',
    definition: { ...all.definition, filter: { event_type_ids: [typeId] } },
  });
  await server.settle();
  expect((await runsOf(all.id)).map(({ state, reason }) => `${state} ${reason}`).toSorted()).toEqual([
    'planned null',
    'skipped filtered',
  ]);
});

test('each booking trigger starts only its own workflow', async () => {
  const triggers = [
    'booking-requested',
    'booking-created',
    'booking-confirmed',
    'booking-rescheduled',
    'no-show',
  ] as const;
  const made = await Promise.all(
    triggers.map((trigger) =>
      makeWorkflow(
        definition({ trigger, offset: { amount: 0, unit: 'minutes' } }, mailTo('host', { subject: `Test ${trigger}` })),
        trigger,
      ),
    ),
  );
  const { id, token } = await book({ settings: { confirmation: true } });
  const states = async () =>
    Promise.all(made.map(async (one) => (await runsOf(one.id)).map(({ state }) => state).join()));
  await work();
  expect(await states()).toEqual(['done', '', '', '', '']);
  await call('POST', `/api/bookings/${id}/confirm`, {});
  await work();
  expect(await states()).toEqual(['done', 'done', 'done', '', '']);
  await asGuest(token, 'reschedule', { sequence: 0, start: next / minute });
  await work();
  expect((await states())[3]).toBe('done');
  await call('POST', `/api/bookings/${id}/confirm`, {});
  await work();
  expect((await states()).slice(1, 3)).toEqual(['done', 'done,done']);
  clock.set('2027-03-15T14:00:00Z');
  await call('POST', `/api/bookings/${id}/no-show`, { who: 'guest', no_show: true });
  await work();
  expect((await states())[4]).toBe('done');
});

test('a workflow with an unknown variable, a foreign event type or an unconfirmed address is refused', async () => {
  const { typeId } = await book();
  const refuse = async (made: object, field: string, user = anna) => {
    const response = await server.inject({
      method: 'POST',
      url: '/api/workflows',
      headers: asUser(user),
      payload: { name: 'x', definition: made },
    });
    expect(response.statusCode, response.body).toBe(400);
    expect(Object.keys(response.json<{ detail: { fields: object } }>().detail.fields)).toContain(field);
  };
  await refuse(definition({}, mailTo('guest', { body: 'Hello {guestname}' })), 'definition.steps.0.body');
  await refuse(definition({ filter: { event_type_ids: [typeId as never] } }), 'definition.filter.event_type_ids', bert);
  await refuse(definition({}, mailTo('victim@example.net')), 'definition.steps.0.to');
  await refuse(
    definition({ trigger: 'mirror-failed' }, mailTo('guest', { subject: 'x', body: 'x' })),
    'definition.steps.0.to',
  );
  await refuse(definition({}, ...Array.from({ length: 11 }, () => mailTo('host'))), 'definition.steps');
});

test('an address receives workflow mails once it is confirmed by a mailed code', async () => {
  const address = 'team@example.net';
  await call('POST', '/api/workflows/addresses', { address });
  await server.settle();
  const code = /\b\d{6}\b/.exec(smtp.mailsTo(address)[0]?.parsed.text ?? '')?.[0] ?? '';
  const wrong = code === '000000' ? '000001' : '000000';
  await call('POST', '/api/workflows/addresses/confirm', { address, code: wrong }, { status: 400 });
  // another person's code is refused
  await call('POST', '/api/workflows/addresses/confirm', { address, code }, { user: bert, status: 400 });
  await call('POST', '/api/workflows/addresses/confirm', { address, code }, { status: 204 });
  const { id } = await makeWorkflow(
    definition({}, mailTo(address, { body: '{guest_name} {booking_link}', ics: true })),
  );
  const { token } = await book();
  clock.set('2027-03-07T14:00:00Z');
  await work();
  expect(await runsOf(id)).toMatchObject([{ state: 'done' }]);
  const [mail] = fromSteps(address);
  // only the guest gets links that can change the booking
  expect(mail?.raw).not.toContain(token);
  expect(mail?.raw).toContain('METHOD:PUBLISH');
});

test('a bounced workflow mail ends the run, and a retry does not mail reached recipients twice', async () => {
  const { id } = await makeWorkflow(definition({}, mailTo('guests')));
  // a colleague of the host need not confirm the address
  const colleague = await signUpUser(server, `friend-${count}@example.net`);
  await insertTeam(server, `friends-${count}`, [{ user: anna }, { user: colleague }]);
  const friend = colleague.email;
  const guests = { settings: { guests_allowed: 2 }, body: { guests: [friend] } };
  const { id: bookingId, email, token } = await book(guests);
  // a guest who brings others first proves the own address
  await asGuest(token, 'confirm', {
    proof: writeProof(server.app, { id: bookingId as BookingId, guestEmail: email }),
  });
  clock.set('2027-03-07T14:00:00Z');
  smtp.next({ at: 'rcpt', answer: '550 5.1.1 no such user' });
  await work();
  const [run] = await runsOf(id);
  expect(run).toMatchObject({ state: 'dead', reason: 'bounced' });
  const reached = run?.mails.find(({ state }) => state === 'sent')?.to;
  const { workflows } = await call<{ workflows: WorkflowView[] }>('GET', '/api/workflows');
  expect(workflows[0]).toMatchObject({ given_up: 1, waiting: 0 });
  await call('POST', `/api/workflows/runs/${run?.id}/retry`, {}, { user: bert, status: 404 });
  await call('POST', `/api/workflows/runs/${run?.id}/retry`, {}, { status: 204 });
  await work();
  expect(await runsOf(id)).toMatchObject([{ state: 'done' }]);
  await call('POST', `/api/workflows/runs/${run?.id}/retry`, {}, { status: 409 });
  // recipients of the first attempt get no second mail
  for (const to of [email, friend]) expect(fromSteps(to), to).toHaveLength(1);
  expect(reached).toBeDefined();
});

test('a workflow test is mailed to its author only, and the preview uses the newest booking', async () => {
  const { email } = await book();
  const step = { trigger: 'before-event', action: mailTo('guest', { subject: 'Test {guest_name}' }) };
  const preview = await call<{ subject: string; body: string; sample: boolean; unknown: string[] }>(
    'POST',
    '/api/workflows/preview',
    { ...step, action: mailTo('guest', { body: '{guest_name} {nothing}' }) },
  );
  expect(preview).toMatchObject({ sample: false, unknown: ['nothing'], body: expect.stringContaining('Gus Guest') });
  // a guest's link cancels as the guest, also after an impersonation
  const linked = await call<{ body: string }>('POST', '/api/workflows/preview', {
    ...step,
    action: mailTo('guest', { body: 'Change it: {booking_link}' }),
  });
  expect(linked.body).toContain('https://example.com/booked/example');
  const before = smtp.mailsTo(email).length;
  expect(await call('POST', '/api/workflows/test', step)).toEqual({ outcome: 'done', reason: null, to: anna.email });
  await server.settle();
  expect(smtp.mailsTo(email).length).toBe(before);
  expect(fromSteps(anna.email).at(-1)?.parsed.subject).toContain('Gus Guest');
});

/** A booking with as long answers as a guest may give, and steps that repeat them as often as a text may. */
async function bookLong(): Promise<Booked> {
  const questions = Array.from({ length: 20 }, (_, n) => ({ id: `q${n}`, label: 'L', kind: 'long', required: false }));
  const answers = Object.fromEntries(questions.map(({ id }) => [id, 'a.'.repeat(2_500)]));
  return book({ settings: { questions }, body: { answers } });
}
const repeating = mailTo('host', { subject: '{answers}', body: '{answers}'.repeat(444) });

test('steps that repeat long answers are handed over in small groups, each text cut to its limit', async () => {
  for (let n = 0; n < 6; n += 1) await makeWorkflow(definition({}, ...Array.from({ length: 10 }, () => repeating)));
  const { id } = await makeWorkflow(definition());
  await bookLong();
  clock.set('2027-03-07T14:00:00Z');
  const groups: number[] = [];
  const { mail } = server.app;
  const counting = {
    ...server.app,
    mail: {
      ...mail,
      sendAll: (tx: Tx, mails: readonly MailMessage[]) => {
        groups.push(mails.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0));
        return mail.sendAll(tx, mails);
      },
    },
  };
  await sendDue(counting, 'mail', new AbortController().signal);
  // 2 MB of a person in each claim at most, and in each group far less
  expect(groups.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...groups)).toBeLessThan(500_000);
  expect((await runsOf(id)).map(({ state }) => state)).toEqual(['handed']);
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from workflows.runs where state in ('planned', 'claimed')`.execute(server.app.db);
  expect(rows).toEqual([{ open: 0 }]);
});

test('a preview that repeats long answers is cut to the limit of a text', async () => {
  await bookLong();
  const { body } = await call<{ body: string }>('POST', '/api/workflows/preview', {
    trigger: 'before-event',
    action: repeating,
  });
  expect(body.length).toBeLessThanOrEqual(filledLimits.text.chars);
  expect(body.endsWith('…')).toBe(true);
});

test('at most 25 runs of one person are claimed at a time', async () => {
  for (let n = 0; n < 3; n += 1)
    await makeWorkflow(definition({}, ...Array.from({ length: 10 }, () => mailTo('host'))));
  await book();
  clock.set('2027-03-07T14:00:00Z');
  expect(await claimDue(server.app, 'mail')).toHaveLength(25);
  expect(await claimDue(server.app, 'mail')).toEqual([]);
});

test('a run whose worker dies each time is given up, and keeps no other run from going out', async () => {
  const { id } = await makeWorkflow(definition({ if_late: 'send' }, mailTo('guest'), mailTo('host')));
  await book();
  clock.set('2027-03-07T14:00:00Z');
  expect(await claimDue(server.app, 'mail')).toHaveLength(2);
  clock.advance({ seconds: 91 });
  // the others of its claim are left alone
  const [deadly, ...more] = await claimDue(server.app, 'mail');
  expect(more).toEqual([]);
  await sendDue(server.app, 'mail', new AbortController().signal);
  const states = async () => Object.fromEntries((await runsOf(id)).map((run) => [run.id, [run.state, run.reason]]));
  const { [deadly?.id ?? '']: ofDeadly, ...ofOthers } = await states();
  expect(ofDeadly).toEqual(['claimed', null]);
  expect(Object.values(ofOthers)).toEqual([['handed', null]]);
  clock.advance({ seconds: 91 });
  expect((await claimDue(server.app, 'mail')).map((run) => run.id)).toEqual([deadly?.id]);
  clock.advance({ seconds: 91 });
  await sendDue(server.app, 'mail', new AbortController().signal);
  expect((await states())[deadly?.id ?? '']).toEqual(['dead', 'unfinished']);
});

test("a guest's text in a workflow mail is escaped, not linked, and adds no subject line", async () => {
  await makeWorkflow(definition({}, mailTo('host', { subject: 'Soon {guest_name}', body: '{guest_name}' })));
  await book({ body: { name: '<b>Gus</b> http://evil.example {host_email}' } });
  clock.set('2027-03-07T14:00:00Z');
  await work();
  const mail = fromSteps(anna.email).at(-1);
  expect(mail?.parsed.html).not.toContain('<b>Gus');
  expect(mail?.links.some((link) => link.includes('evil.example'))).toBe(false);
  expect(mail?.parsed.subject).toContain('{host_');
});

test('a disconnected account triggers its workflow once, and failed mirrors trigger theirs once a day', async () => {
  const offset = { amount: 0, unit: 'minutes' as const };
  const host = mailTo('host', { subject: 'Soon: {calendar_account}', body: '{problem}' });
  const lost = await makeWorkflow(definition({ trigger: 'calendar-disconnected', offset }, host));
  const failed = await makeWorkflow(definition({ trigger: 'mirror-failed', offset }, host));
  const { accountId, calendarId } = await insertOwnAccount(server, anna);
  const { db } = server.app;
  await sql`update connections.connections set status = 'needs-reconnect', status_message = 'Access was withdrawn',
    updated_at = now() - interval '1 hour' where id = ${accountId}`.execute(db);
  await sql`insert into sync.troubles (user_id, kind, subject) values (${anna.userId}, 'reconnect', ${accountId})`.execute(
    db,
  );
  await sql`insert into sync.mirrors (id, user_id, origin_calendar_id, origin_item_id, origin_uid, target_calendar_id,
      target_connection_id, identity_key, state, error_message)
    values (gen_random_uuid(), ${anna.userId}, ${calendarId}, gen_random_uuid(), 'u', ${calendarId}, ${accountId}, 'k',
      'failed', 'The server is full.')`.execute(db);
  await followTroubles(server.app);
  await followTroubles(server.app);
  await work();
  expect(await runsOf(lost.id)).toMatchObject([{ state: 'done', about: expect.any(String), guest: null }]);
  const ofBlocks = await runsOf(failed.id);
  expect(new Set(ofBlocks.map(({ state }) => state))).toEqual(new Set(['done']));
  const texts = fromSteps(anna.email).map(({ parsed }) => parsed.text ?? '');
  expect(texts.some((text) => text.includes('Access was withdrawn'))).toBe(true);
  expect(texts.some((text) => text.includes('The server is full.'))).toBe(true);
  clock.advance({ hours: 24 });
  await followTroubles(server.app);
  expect((await runsOf(lost.id)).length).toBe(1);
  expect((await runsOf(failed.id)).length).toBe(2 * ofBlocks.length);
});

test('a workflow whose service is not connected to its new owner mails them once, and nobody else', async () => {
  const { app } = server;
  const handle = `support-${count}`;
  const teamId = await insertTeam(server, handle, [{ user: anna }, { user: bert, role: 'editor' }]);
  const { path } = await insertTeamType(server, { teamId, handle }, [{ user: anna }], { kind: 'round-robin' });
  const definitionOf = definition({ trigger: 'booking-created', offset: { amount: 0, unit: 'days' } });
  const { workflow } = await call<{ workflow: WorkflowView }>(
    'POST',
    '/api/workflows',
    { name: 'Tell the channel', team_id: teamId, tags: [], definition: definitionOf },
    { user: bert, status: 201 },
  );
  const slack = { kind: 'notify-slack', credential_id: randomUUID(), channel: null, body: 'Booked' };
  await sql`update workflows.versions
    set definition = jsonb_set(definition, '{steps,0,action}', ${JSON.stringify(slack)}::jsonb)
    where workflow_id = ${workflow.id}`.execute(app.db);
  await inTransaction(app.db, (tx) => app.news.announce(tx, memberLeft, { teamId, userId: bert.userId, why: 'left' }));
  for (const n of [0, 1]) {
    const guest = { name: 'Gus', email: `gus-${n}@example.net`, zone: 'UTC', language: 'en' };
    const payload = { start: monday / minute + 180 + 60 * n, ...guest };
    expect((await server.inject({ method: 'POST', url: `${path}/bookings`, payload })).statusCode).toBe(201);
    await server.settle();
    await sendDue(app, 'outside', new AbortController().signal);
    await server.settle();
  }
  expect(await runsOf(workflow.id)).toMatchObject([{ reason: 'no-credential' }, { reason: 'no-credential' }]);
  const about = smtp.received.filter(({ parsed }) => parsed.subject?.includes('Tell the channel'));
  expect(about.map(({ to }) => to)).toEqual([[anna.email]]);
  expect(about[0]?.parsed.subject).toBe('Connect a service for your workflow Tell the channel');
});

test('a team workflow covers bookings of team event types, is restricted by role, and passes to the owner', async () => {
  const { app } = server;
  const handle = `sales-${count}`;
  const teamId = await insertTeam(server, handle, [{ user: anna }, { user: bert, role: 'editor' }]);
  const viewer = await signUpUser(server, `viewer-${count}@example.org`);
  await sql`insert into teams.members (team_id, user_id, role) values (${teamId}, ${viewer.userId}, 'viewer')`.execute(
    app.db,
  );
  const { typeId, path } = await insertTeamType(server, { teamId, handle }, [{ user: anna }], { kind: 'round-robin' });
  const made = { name: 'For all', team_id: teamId, tags: ['guests'], definition: definition() };
  const { workflow } = await call<{ workflow: WorkflowView }>('POST', '/api/workflows', made, {
    user: bert,
    status: 201,
  });
  expect(workflow).toMatchObject({ team_id: teamId, tags: ['guests'] });

  // by role, and nothing to anybody else
  await call('POST', '/api/workflows', made, { user: viewer, status: 403 });
  await call('GET', `/api/workflows/${workflow.id}`, undefined, { user: viewer, status: 403 });
  const outsider = await signUpUser(server, `outsider-${count}@example.org`);
  await call('POST', '/api/workflows', made, { user: outsider, status: 404 });
  for (const [method, url] of [
    ['GET', `/api/workflows/${workflow.id}`],
    ['GET', `/api/workflows/${workflow.id}/runs`],
    ['GET', `/api/workflows/${workflow.id}/versions`],
    ['DELETE', `/api/workflows/${workflow.id}`],
  ] as const)
    await call(method, url, undefined, { user: outsider, status: 404 });
  const seen = async (user: TestUser) =>
    (await call<{ workflows: WorkflowView[] }>('GET', '/api/workflows', undefined, { user })).workflows.map(
      ({ id }) => id,
    );
  expect([await seen(anna), await seen(bert), await seen(viewer)]).toEqual([[workflow.id], [workflow.id], []]);

  // only types of the team, nothing of one person
  const own = await book();
  const put = (change: Partial<Definition>, version: number, status: number) =>
    call<{ workflow: WorkflowView }>(
      'PUT',
      `/api/workflows/${workflow.id}`,
      { version, name: 'For all', definition: { ...workflow.definition, ...change } },
      { user: anna, status },
    );
  await put({ filter: { event_type_ids: [own.typeId as never] } }, 1, 400);
  await put({ trigger: 'mirror-failed', steps: definition({}, mailTo('host')).steps }, 1, 400);
  await put({ filter: { event_type_ids: [typeId] } }, 1, 200);
  await server.settle();
  expect(await runsOf(workflow.id)).toEqual([]);

  const response = await server.inject({
    method: 'POST',
    url: `${path}/bookings`,
    payload: {
      start: (monday + 180 * minute) / minute,
      name: 'Gus',
      email: 'mates@example.net',
      zone: 'UTC',
      language: 'en',
    },
  });
  expect(response.statusCode, response.body).toBe(201);
  await server.settle();
  expect(await runsOf(workflow.id)).toMatchObject([{ state: 'planned', due_at: '2027-03-07T17:00:00Z', guest: 'Gus' }]);
  await inTransaction(app.db, (tx) => app.news.announce(tx, memberLeft, { teamId, userId: bert.userId, why: 'left' }));
  const { rows } = await sql<{ user_id: string }>`
    select user_id from workflows.workflows union all select user_id from workflows.runs`.execute(app.db);
  expect(rows.map(({ user_id }) => user_id)).toEqual([anna.userId, anna.userId]);
  clock.set('2027-03-07T17:00:00Z');
  await work();
  expect(await runsOf(workflow.id)).toMatchObject([{ state: 'done' }]);
  expect(fromSteps('mates@example.net')).toHaveLength(1);
});

test('a reassigned booking uses the workflows of its new host', async () => {
  const { id } = await makeWorkflow(definition());
  const { id: bookingId, email } = await book();
  const ofBert = await call<{ workflow: WorkflowView }>(
    'POST',
    '/api/workflows',
    { name: 'Mine', definition: definition({}, mailTo('guest', { subject: 'Soon, with Bert' })) },
    { user: bert, status: 201 },
  );
  await inTransaction(server.app.db, async (tx) => {
    await sql`update booking.bookings set user_id = ${bert.userId}, sequence = sequence + 1 where id = ${bookingId}`.execute(
      tx,
    );
    await server.app.news.announce(tx, bookingChanged, {
      bookingId,
      userId: bert.userId,
      what: 'reassigned',
      sequence: 1,
    });
  });
  clock.set('2027-03-07T14:00:00Z');
  await work();
  expect(await runsOf(id)).toMatchObject([{ state: 'skipped', reason: 'reassigned' }]);
  const { runs } = await call<{ runs: RunView[] }>('GET', `/api/workflows/${ofBert.workflow.id}/runs`, undefined, {
    user: bert,
  });
  expect(runs).toMatchObject([{ state: 'done' }]);
  expect(fromSteps(email).map(({ parsed }) => parsed.subject)).toEqual(['Soon, with Bert']);
});

/** All readers who were asked confirm their addresses. */
async function confirmAddresses(): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from workflows.readers where confirmed_at is null`.execute(
    server.app.db,
  );
  for (const { id } of rows) await inTransaction(server.app.db, (tx) => confirmReader(tx, id, clock.nowMs()));
}

test('a submitted form triggers the workflows of its owner or team once, with its answers', async () => {
  const { app } = server;
  const teamId = await insertTeam(server, `forms-${count}`, [{ user: anna }]);
  const made = definition(
    { trigger: 'form-submitted', offset: { amount: 0, unit: 'minutes' } },
    mailTo('host', { subject: 'Soon: {form_name}', body: '{guest_name} <{guest_email}>\n\n{form_answers}' }),
    mailTo('guest', { subject: 'Thanks, {guest_first_name}', body: 'We have: {form_answers}' }),
  );
  const ofTeam = await call<{ workflow: WorkflowView }>(
    'POST',
    '/api/workflows',
    { name: 'Form', team_id: teamId, definition: made },
    { status: 201 },
  );
  const own = await makeWorkflow({ ...made, steps: definition({}, ...made.steps.map(({ action }) => action)).steps });
  await server.settle();
  const heard = {
    submissionId: randomUUID(),
    formId: randomUUID(),
    formName: 'Contact us',
    userId: null,
    teamId,
    name: 'Fay Former',
    email: `fay-${count}@example.net`,
    phone: null,
    answers: [{ id: 'size', label: 'Size', answer: '10 {host_email} to 50' }],
    atMs: clock.nowMs(),
  };
  const submit = () => inTransaction(app.db, (tx) => app.news.announce(tx, formSubmitted, heard));
  await expect(
    inTransaction(app.db, async (tx) => {
      await app.news.announce(tx, formSubmitted, { ...heard, submissionId: randomUUID() });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await submit();
  await submit();
  await server.settle();
  await work();
  await confirmAddresses();
  await work();
  expect(await runsOf(own.id)).toEqual([]);
  expect(await runsOf(ofTeam.workflow.id)).toMatchObject([
    { state: 'done', about: 'Contact us', guest: 'Fay Former' },
    { state: 'done', about: 'Contact us', guest: 'Fay Former' },
  ]);
  const [thanks, ...more] = fromSteps(heard.email);
  expect(more).toEqual([]);
  expect(thanks?.parsed.subject?.replaceAll('\u2060', '')).toBe(`Thanks, ${heard.email}`);
  // anybody can enter this address in a form
  expect(thanks?.parsed.text).not.toContain('to 50');
  const told = smtp.mailsTo(anna.email).filter(({ parsed }) => parsed.subject?.startsWith('Soon: Contact us'));
  expect(told).toHaveLength(1);
  expect(told[0]?.parsed.text).toMatch(/Size: .?10 \{host_email\} to 50/);
  // a submission without an address mails nobody
  await inTransaction(app.db, (tx) =>
    app.news.announce(tx, formSubmitted, { ...heard, submissionId: randomUUID(), name: null, email: null }),
  );
  await server.settle();
  await work();
  const runs = await runsOf(ofTeam.workflow.id);
  expect(runs.filter(({ state, reason }) => state === 'skipped' && reason === 'no-recipient')).toHaveLength(1);
});

test("a form submitted by a visitor on its page triggers the team's workflow with the answers", async () => {
  const handle = `desk-${count}`;
  const teamId = await insertTeam(server, handle, [{ user: anna }]);
  const made = definition(
    { trigger: 'form-submitted', offset: { amount: 0, unit: 'minutes' } },
    mailTo('guest', { subject: 'Thanks for writing', body: '{form_name}: {form_answers}' }),
  );
  const { workflow } = await call<{ workflow: WorkflowView }>(
    'POST',
    '/api/workflows',
    { name: 'Form', team_id: teamId, definition: made },
    { status: 201 },
  );
  await server.settle();
  await anna.as(routingContract).createForm({
    body: {
      team_id: teamId,
      name: 'Help',
      slug: 'help',
      definition: {
        type: 'conditional',
        title: 'Help',
        intro: '',
        questions: [
          { id: 'name', label: 'Your name', kind: 'text', required: true },
          { id: 'email', label: 'Email', kind: 'email', required: true },
        ],
        rules: [],
        fallback: { kind: 'message', text: 'We write to you.' },
        frames: [],
      },
    },
  });
  const email = `stranger-${count}@example.net`;
  const sent = await server.inject({
    method: 'POST',
    url: `/${handle}/forms/help`,
    payload: new URLSearchParams({ attempt: randomUUID(), name: 'Nina Stranger', email }).toString(),
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
  });
  expect(sent.statusCode, sent.body).toBeLessThan(400);
  await server.settle();
  await work();
  await confirmAddresses();
  await work();
  expect(await runsOf(workflow.id)).toMatchObject([{ state: 'done', about: 'Help', guest: 'Nina Stranger' }]);
  const [mail, ...more] = fromSteps(email);
  expect(more).toEqual([]);
  expect(mail?.parsed.text).toContain('Help:');
  expect(mail?.parsed.text).not.toContain('Your name');
});
