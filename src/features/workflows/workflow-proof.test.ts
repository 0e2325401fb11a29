import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StepId, WorkflowId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { insertBookable } from '../../../test/harness/bookable.ts';
import { fixedClock } from '../../../test/harness/fixed-clock.ts';
import { proveGuests } from '../../../test/harness/prove-guests.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../test/harness/test-client.ts';
import type { Definition } from './rules/definition.ts';
import { replanWorkflow } from './runs/planning.ts';
import { sendDue } from './runs/sending.ts';

/**
 * Each run is sent exactly once under its id, or says why not: with workers that die between claim and outcome, clocks that
 * jump, and bookings and workflows that change meanwhile, on the real database. `WORKFLOW_PROOF=1000` for as many acts.
 */

const acts = Number(process.env.WORKFLOW_PROOF ?? 70);
const minute = 60_000;
const clock = fixedClock('2027-03-01T08:00:00Z');
let server: TestApp;
let anna: TestUser;
let path: string;

beforeAll(async () => {
  // no worker of its own and no SMTP server: everything that is handed over stays to be counted
  server = await startTestApp({ clock, role: 'web' });
  anna = await signUpUser(server, 'anna@example.org');
  await proveGuests(server);
  ({ path } = await insertBookable(server, anna, 'intro'));
});
afterAll(() => server.close());

/** Repeatable dice. */
function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

class Death extends Error {}

/** A worker that dies at some look at the clock: before it claims, after, or after it has handed a mail over. */
async function workAndDie(looks: number): Promise<void> {
  let left = looks;
  const dying: App = {
    ...server.app,
    clock: {
      ...clock,
      nowMs: () => {
        left -= 1;
        if (left < 0) throw new Death();
        return clock.nowMs();
      },
    },
  };
  await sendDue(dying, 'mail', new AbortController().signal).catch((error: unknown) => {
    if (!(error instanceof Death)) throw error;
  });
}

const definition = (trigger: Definition['trigger'], hours: number, if_late: Definition['if_late']): Definition => ({
  trigger,
  offset: { amount: hours, unit: 'hours' },
  filter: { event_type_ids: null },
  if_past: 'skip',
  if_late,
  quiet_hours: null,
  steps: ['One', 'Two'].map((subject) => ({
    id: randomUUID() as StepId,
    action: { kind: 'send-email', to: 'guest', subject, body: '{event_date}', ics: false },
  })),
});

const headers = () => ({ authorization: `Bearer ${anna.token}` });
const ask = async (method: 'POST' | 'PUT' | 'PATCH', url: string, payload: object) => {
  const response = await server.inject({ method, url, payload, headers: headers() });
  return { status: response.statusCode, body: response.body === '' ? {} : response.json() };
};

test.each([1, 2, 3])('a workflow run is sent once or says why not, seed %i', { timeout: 600_000 }, async (seed) => {
  const { app } = server;
  const roll = dice(seed);
  clock.set('2027-03-01T08:00:00Z');
  await sql`truncate booking.appointments, workflows.workflows, platform.mails cascade`.execute(app.db);
  const flows: { id: WorkflowId; definition: Definition; version: number; active: boolean }[] = [];
  for (const made of [
    definition('before-event', 3, 'skip'),
    definition('after-event', 1, 'send'),
    definition('booking-created', 0, 'send'),
  ]) {
    const { body } = await ask('POST', '/api/workflows', { name: made.trigger, definition: made });
    flows.push({ ...body.workflow, active: true });
  }
  const booked: { token: string; sequence: number }[] = [];
  const settle = async () => {
    for (const { id } of flows) await replanWorkflow(app, id, new AbortController().signal);
  };
  /** Within open hours of the next days. */
  const someStart = () => {
    const day = clock
      .now()
      .toZonedDateTimeISO('UTC')
      .toPlainDate()
      .add({ days: 1 + roll(4) });
    return day.toZonedDateTime({ timeZone: 'UTC', plainTime: `${10 + roll(7)}:00` }).epochMilliseconds / minute;
  };
  for (let n = 0; n < acts; n += 1) {
    const act = roll(10);
    const one = booked[roll(Math.max(1, booked.length))];
    if (act <= 2) {
      await sql`delete from platform.limits`.execute(app.db);
      const guest = { name: 'Gus', email: `g${seed}-${n}@example.net`, zone: 'UTC', language: 'en' };
      const { status, body } = await ask('POST', `${path}/bookings`, { start: someStart(), ...guest });
      if (status === 201) booked.push({ token: body.bookings[0].token, sequence: 0 });
    } else if (act === 3 && one !== undefined) {
      const { status } = await ask('POST', `/api/booked/${one.token}/reschedule`, {
        start: someStart(),
        sequence: one.sequence,
      });
      if (status === 200) one.sequence += 1;
    } else if (act === 4 && one !== undefined && roll(2) === 0)
      await ask('POST', `/api/booked/${one.token}/cancel`, {});
    else if (act === 5) {
      const flow = flows[roll(flows.length)]!;
      if (roll(2) === 0) {
        flow.active = !flow.active;
        await ask('PATCH', `/api/workflows/${flow.id}`, { active: flow.active });
      } else {
        const changed = { ...flow.definition, steps: flow.definition.steps.toReversed() };
        const { status } = await ask('PUT', `/api/workflows/${flow.id}`, {
          version: flow.version,
          name: 'x',
          definition: changed,
        });
        if (status === 200) Object.assign(flow, { version: flow.version + 1, definition: changed });
      }
      if (roll(3) > 0) await settle();
    } else if (act === 6) clock.advance({ minutes: [1, 4, 30, 240, 1_500][roll(5)]! });
    else await Promise.all([workAndDie(roll(12)), workAndDie(roll(12))]);
  }
  for (const flow of flows) if (!flow.active) await ask('PATCH', `/api/workflows/${flow.id}`, { active: true });
  await settle();
  // until nothing is left to do
  for (let n = 0; n < 300; n += 1) {
    await sendDue(app, 'mail', new AbortController().signal);
    const { rows } = await sql<{
      next: number | null;
    }>`select min(next_ms) as next from workflows.runs where state in ('planned', 'claimed')`.execute(app.db);
    const next = rows[0]?.next;
    if (next == null) break;
    clock.set(Temporal.Instant.fromEpochMilliseconds(Math.max(next, clock.nowMs())));
  }

  interface Told {
    id: string;
    state: string;
    reason: string | null;
    trigger: string;
    booking: string;
    about: number | null;
    step: string;
    mails: number;
    waiting: number;
  }
  const { rows: runs } = await sql<Told>`
    select r.id, r.state, r.reason, w.trigger, b.state as booking, r.about_ms as about, r.booking_id || r.step_id::text as step,
      (select count(*)::int from platform.mails m where m.key like 'workflows.run:' || r.id || '%') as mails,
      (select count(*)::int from platform.mails m where m.key like 'workflows.run:' || r.id || '%' and m.state = 'queued') as waiting
    from workflows.runs r join workflows.workflows w on w.id = r.workflow_id join booking.bookings b on b.id = r.booking_id`.execute(
    app.db,
  );
  expect(runs.length).toBeGreaterThan(0);
  expect(runs.some(({ state }) => state === 'handed')).toBe(true);
  for (const run of runs) {
    const what = JSON.stringify(run);
    expect(['handed', 'skipped', 'dead'], what).toContain(run.state);
    if (run.state === 'handed') expect(run.mails, what).toBe(1);
    // each skipped run says why, and sends nothing
    else expect([run.reason === null, run.waiting], what).toEqual([false, 0]);
    // nothing waits to tell of a meeting that does not take place
    if (run.booking === 'cancelled') expect(run.waiting, what).toBe(0);
  }
  // one of each step for one time of one booking
  const times = runs.filter(({ waiting }) => waiting > 0).map(({ step, about }) => `${step} ${about}`);
  expect(new Set(times).size).toBe(times.length);
});
