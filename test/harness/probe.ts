import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { endpoint } from '#kernel/contract.ts';
import type { Feature } from '#platform/feature.ts';
import { defineJob } from '#platform/jobs.ts';
import { bindRoutes } from '#platform/routes.ts';
import { run } from '../../src/main.ts';

/**
 * The real process with one more feature that lets a test see which process ran what. `POST /api/probe` enqueues;
 * each run leaves a line in `public.probe` when it starts and when it ends.
 */

const payload = z.strictObject({ key: z.string(), ms: z.number() });

const probe = defineJob({
  name: 'probe.run',
  payload,
  policy: 'stately',
  retryDelaySeconds: 1,
  async handle(app, { key, ms }, signal, { attempt }) {
    await sql`insert into public.probe (key, pid, attempt) values (${key}, ${process.pid}, ${attempt})`.execute(app.db);
    // only the first attempt is long: its takeover should be seen quickly
    await sleep(attempt === 0 ? ms : 0, undefined, { signal });
    await sql`update public.probe set ended_at = now() where key = ${key} and pid = ${process.pid}`.execute(app.db);
  },
});

const contract = {
  sendProbe: endpoint({
    method: 'POST',
    path: '/api/probe',
    auth: 'public',
    summary: 'Enqueues a probe',
    body: payload,
    output: z.object({ isSent: z.boolean() }),
  }),
};

const probeFeature: Feature = {
  name: 'probe',
  jobs: [probe],
  routes: [
    bindRoutes(contract, {
      async sendProbe({ app, input }) {
        await app.jobs.send(probe, input.body, { key: input.body.key });
        return { isSent: true };
      },
    }),
  ],
  async start(app) {
    await sql`create table if not exists public.probe (
      key text, pid int, attempt int, started_at timestamptz default clock_timestamp(), ended_at timestamptz)`
      .execute(app.db)
      // Processes that start at once race for the name; one of them made it.
      .catch((error: { code?: string }) => {
        if (!['23505', '42P07', '42710'].includes(error.code ?? '')) throw error;
      });
    return undefined;
  },
};

const { features } = await import('../../src/features.ts');
await run([...features, probeFeature]);
