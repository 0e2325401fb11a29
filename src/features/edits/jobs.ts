import * as z from 'zod/mini';
import { findConnectionById } from '#features/connections/public.ts';
import { newsOf } from '#kernel/announcement.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import { inTransaction } from '#platform/db.ts';
import { defineJob, type Schedule } from '#platform/jobs.ts';
import { listenTo } from '#platform/news.ts';
import { editingWanted } from './events.ts';
import { listDueConnections, trimEdits } from './store/edits.ts';
import { writeEdits } from './writing.ts';

/** Writers mostly wait for a provider. One person has an eighth of them, so that silent accounts leave some for others. */
const atOnce = 16;
const mostOfPerson = 2;
/** Further away than this the heartbeat finds it. */
const heartbeatMs = 10_000;
const keptMs = 30 * 86_400_000;

/** One writer of edits per account. The job enqueues its next run when edits are due later. */
const writeJob = defineJob({
  name: 'edits.write-edits',
  payload: z.strictObject({ connectionId: z.string() }),
  policy: 'stately',
  concurrency: atOnce,
  share: {
    most: mostOfPerson,
    ownerOf: async ({ db }, { connectionId }) =>
      (await findConnectionById(db, connectionId as ConnectionId))?.userId ?? null,
  },
  handle: async (app, payload, signal) => {
    const nextMs = await writeEdits(app, payload.connectionId as ConnectionId, signal);
    if (nextMs === null) return;
    const startAfterMs = Math.max(0, nextMs - app.clock.nowMs());
    if (startAfterMs < 2 * heartbeatMs)
      await app.jobs.send(writeJob, payload, { key: payload.connectionId, startAfterMs });
  },
});

/** The heartbeat: whatever got lost elsewhere is found here again. */
const handOutJob = defineJob({
  name: 'edits.hand-out',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: async (app) => {
    const due = await listDueConnections(app.db, app.clock.nowMs());
    await inTransaction(app.db, (tx) =>
      app.news.announceAll(
        tx,
        due.map((connectionId) => newsOf(editingWanted, { connectionId })),
      ),
    );
  },
});

const trimJob = defineJob({
  name: 'edits.trim-edits',
  payload: z.strictObject({}),
  policy: 'stately',
  retryLimit: 0,
  handle: (app) => trimEdits(app.db, app.clock.nowMs() - keptMs),
});

export const jobs = [writeJob, handOutJob, trimJob];
export const schedules: Schedule[] = [
  { job: handOutJob, everyMs: heartbeatMs, payload: {}, key: 'hand-out' },
  { job: trimJob, everyMs: 86_400_000, payload: {}, key: 'trim' },
];
export const listeners = [listenTo(editingWanted, writeJob, (heard) => ({ payload: heard, key: heard.connectionId }))];
