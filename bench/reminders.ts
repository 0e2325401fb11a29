import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Definition } from '#features/workflows/rules/definition.ts';
import type { StepId } from '#kernel/ids.ts';
import { loadConfig } from '#platform/config.ts';
import { inTransaction } from '#platform/db.ts';
import type { Feature } from '#platform/feature.ts';
import { defineJob } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { type OpenApp, openApp } from '#platform/open-app.ts';
import { replanWorkflow } from '../src/features/workflows/runs/planning.ts';
import { insertWorkflow } from '../src/features/workflows/store/workflow-rows.ts';
import { features } from '../src/features.ts';
import { openAccount } from '../test/harness/open-account.ts';
import { type Bench, type BenchOptions, type BenchRow, percentile } from './harness.ts';
import { openPostgresCpu } from './postgres-cpu.ts';
import { openThrowAwayDatabase, type ThrowAwayDatabase } from './throw-away-database.ts';

/** F1: reminders that fall due at one moment, until the last of them was taken by an SMTP server. */
export const remindersBench: Bench = {
  rows: ['F1'],
  async run(_wanted, options, print) {
    const database = await openThrowAwayDatabase();
    try {
      print(await measureReminders(database, options));
    } finally {
      await database.close();
    }
  },
};

const mostSeconds = 60;
const mostWaitMs = 1_000;

/** A job of another kind, as syncing has them: how long it waits until it ran and the database answered, while reminders go out. */
const waits: number[] = [];
const probeJob = defineJob({
  name: 'bench.probe',
  payload: z.strictObject({ sentMs: z.number() }),
  handle: async (app, { sentMs }) => {
    await sql`select 1`.execute(app.db);
    waits.push(performance.now() - sentMs);
  },
});
const probe: Feature = { name: 'bench', jobs: [probeJob] };

async function measureReminders(database: ThrowAwayDatabase, { quick }: BenchOptions): Promise<BenchRow> {
  const [hosts, each] = quick ? [5, 20] : [50, 200];
  const wanted = hosts * each;
  const sink = fork(new URL('./smtp-sink.ts', import.meta.url));
  const [{ port }] = (await once(sink, 'message')) as [{ port: number }, unknown];
  let taken = 0;
  sink.on('message', (told: { taken?: number }) => {
    taken = told.taken ?? taken;
  });
  const config = {
    ...loadConfig({ HOST: '127.0.0.1', PORT: '0', PUBLIC_URL: 'http://holdfast.example' }),
    role: 'worker' as const,
    smtpUrl: `smtp://127.0.0.1:${port}`,
  };
  const opened = await openApp({
    config,
    databaseUrl: database.url,
    encryptionKeys: `bench:${randomBytes(32).toString('base64')}`,
    log: await createLog({ level: 'error', format: 'json' }),
    features: [...features, probe],
  });
  try {
    // so far ahead that all of them stand when the first is due
    const dueMs = Math.ceil((opened.app.clock.nowMs() + (quick ? 5_000 : 60_000)) / 60_000) * 60_000;
    await plan(opened, { hosts, each, dueMs });
    await opened.work();
    await sleep(Math.max(0, dueMs - opened.app.clock.nowMs()));
    const postgresCpu = await openPostgresCpu(database.db);
    const [cpu, postgresUs] = [process.cpuUsage(), postgresCpu()];
    const hasTime = () => opened.app.clock.nowMs() < dueMs + 5 * mostSeconds * 1_000;
    while (taken < wanted && hasTime()) {
      await opened.app.jobs.send(probeJob, { sentMs: performance.now() });
      await sleep(100);
    }
    const seconds = (opened.app.clock.nowMs() - dueMs) / 1_000;
    // the records written after the mails count as part of the work
    while ((await countOpen(database)) > 0 && hasTime()) await sleep(250);
    const { user, system } = process.cpuUsage(cpu);
    const spent = [user + system, postgresCpu() - postgresUs].map((us) => (us / 1_000 / wanted).toFixed(2));
    const p99 = percentile(waits, 99);
    return {
      id: 'F1',
      what: `${wanted} reminders due at one moment, until an SMTP server took the last`,
      unit: 's',
      ours: seconds,
      floor: null,
      peers: {},
      gate: `<= ${mostSeconds} s; other jobs wait at most ${mostWaitMs} ms (p99)`,
      passed: taken === wanted && seconds <= mostSeconds && p99 <= mostWaitMs,
      note: `${taken} taken; CPU each until all is noted: ${spent.join(' + ')} ms (product + PostgreSQL); another job waited ${p99.toFixed(0)} ms (p99 of ${waits.length})`,
    };
  } finally {
    await opened.stopWork(1_000);
    await opened.close();
    sink.disconnect();
  }
}

async function countOpen({ db }: ThrowAwayDatabase): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from workflows.runs where state in ('planned', 'claimed', 'handed')`.execute(db);
  return rows[0]!.count;
}

/** Hosts with a workflow and bookings whose reminders are all due then. */
async function plan({ app }: OpenApp, { hosts, each, dueMs }: { hosts: number; each: number; dueMs: number }) {
  const startMs = dueMs + 86_400_000;
  for (let host = 0; host < hosts; host += 1) {
    const { userId } = await openAccount(app, `host-${host}@example.org`);
    const workflowId = randomUUID() as Parameters<typeof insertWorkflow>[1]['id'];
    const definition: Definition = {
      trigger: 'before-event',
      offset: { amount: 24, unit: 'hours' },
      filter: { event_type_ids: null },
      if_past: 'skip',
      if_late: 'send',
      quiet_hours: null,
      steps: [
        {
          id: randomUUID() as StepId,
          action: {
            kind: 'send-email',
            to: 'guest',
            subject: 'Tomorrow: {event_name}, {event_time}',
            body: 'Hello {guest_first_name},\n\nwe meet on {event_date} at {event_time}.\n\nWhere: {location}',
            ics: true,
          },
        },
      ],
    };
    await inTransaction(app.db, (tx) =>
      insertWorkflow(
        tx,
        { id: workflowId, userId, teamId: null, name: 'Reminder', tags: [], active: true, definition },
        dueMs,
      ),
    );
    await sql`
      with made as (
        insert into booking.appointments (id, user_id, host_ids, title, start_ms, end_ms, buffer_before_ms, buffer_after_ms,
          seats, location, event_key)
        select gen_random_uuid(), ${userId}, array[${userId}]::uuid[], 'Intro', ${startMs}::bigint, ${startMs + 1_800_000}::bigint,
          0, 0, 1, '{"kind":"link","url":"https://meet.example.org/"}', 'k'
        from generate_series(1, ${each}) returning id)
      insert into booking.bookings (id, uid, appointment_id, seat, user_id, state, token_hash, guest_name, guest_email,
        guest_zone, created_ms, confirmed_ms)
      select gen_random_uuid(), gen_random_uuid()::text, id, 1, ${userId}, 'confirmed', uuid_send(id), 'Gus Guest',
        id || '@example.net', 'Asia/Tokyo', 0, 0
      from made`.execute(app.db);
    await replanWorkflow(app, workflowId, AbortSignal.timeout(60_000));
  }
}
