import * as z from 'zod/mini';
import { instantMs } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { alertShape, measuredShape, severities } from './rules.ts';

const errorShape = z.object({
  fingerprint: z.string(),
  severity: z.enum(severities),
  told: z.string(),
  place: z.nullable(z.string()),
  cause: z.string(),
  count: z.int(),
  requestIds: z.array(z.string()),
  firstAt: instantMs,
  lastAt: instantMs,
});

const queueShape = z.object({
  name: z.string(),
  running: z.int(),
  /** Due jobs that no worker has claimed yet. */
  due: z.int(),
  later: z.int(),
  oldestDueMs: z.nullable(z.number()),
});

export const systemEndpoints = {
  readHealth: endpoint({
    method: 'GET',
    path: '/api/admin/health',
    auth: 'admin',
    summary: 'State of all parts of the running system, measured now, with queues, alerts, and errors',
    output: z.object({
      ...measuredShape.shape,
      queues: z.array(queueShape),
      deadLetters: z.int(),
      alerts: z.array(alertShape),
      errors: z.array(errorShape),
      /** The tz database that this process computes with, and the days since its release. */
      zoneData: z.object({ version: z.string(), days: z.int(), isOld: z.boolean() }),
      /** How long errors and alerts that are over are kept. */
      logDays: z.int(),
    }),
  }),
};
