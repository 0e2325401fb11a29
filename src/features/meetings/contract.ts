/**
 * Owns: the operational console: what stands where, why, and the tools to repair it.
 * Announces: nothing.
 * Never: holds data of its own; rows come from the ledger and the event store through their doors.
 */
import * as z from 'zod/mini';
import { mirrorCountsShape } from '#features/sync/contract.ts';
import { endpoint } from '#kernel/contract.ts';

const id = z.uuid();

const placeShape = z.strictObject({
  provider: z.string(),
  account: z.string(),
  subcalendar: z.string(),
  color: z.string(),
});

export const mirrorRowShape = z.strictObject({
  id,
  event_id: id, // the origin's item: what resync and audit go by
  origin_event_id: id,
  date: z.nullable(z.string()), // YYYY-MM-DD of the nearest instance, in the caller's zone
  time: z.nullable(z.string()), // HH:MM, null for all-day
  starts_at: z.nullable(z.iso.datetime()),
  recurring: z.boolean(),
  title: z.string(), // the origin's
  shown_as: z.string(), // what the block says
  origin: placeShape,
  target: placeShape,
  status: z.enum(['created', 'pending', 'failed', 'skipped']),
  last_sync: z.nullable(z.iso.datetime()),
  verified_at: z.nullable(z.iso.datetime()),
  attempts: z.int(),
  next_attempt_at: z.nullable(z.iso.datetime()),
  reason: z.nullable(z.string()),
  error: z.nullable(z.string()),
  is_mirror: z.literal(true),
});

export const auditEntryShape = z.strictObject({
  id: z.string(),
  timestamp: z.iso.datetime(),
  type: z.string(),
  actor: z.enum(['user', 'webhook', 'poll', 'sweep']),
  message: z.string(),
  duration_ms: z.nullable(z.int()),
  status: z.enum(['success', 'error', 'pending']),
  error: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
});

export const meetingsContract = {
  listMeetings: endpoint({
    method: 'GET',
    path: '/meetings',
    auth: 'user',
    summary: 'Mirrors of the console, newest trouble first',
    query: z.strictObject({
      scope: z.literal('mirrors'),
      status: z.optional(z.enum(['created', 'pending', 'failed', 'skipped'])),
      search: z.optional(z.string().check(z.maxLength(200))),
      page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/))), // 50 rows a page
    }),
    output: z.strictObject({ mirrors: z.array(mirrorRowShape), counts: mirrorCountsShape, pages: z.int() }),
  }),
  readAudit: endpoint({
    method: 'GET',
    path: '/events/{id}/audit',
    auth: 'user',
    summary: 'Audit trail of a mirror, or of all mirrors of an event, newest first',
    params: z.strictObject({ id }),
    output: z.strictObject({ logs: z.array(auditEntryShape) }),
  }),
  resyncMirrors: endpoint({
    method: 'POST',
    path: '/mirrors/{eventId}/resync',
    auth: 'user',
    summary: 'Check and write again every mirror of an event; at most once a minute per event',
    params: z.strictObject({ eventId: id }),
    output: z.strictObject({ pending: z.int() }),
    status: 202,
  }),
  retryMirror: endpoint({
    method: 'POST',
    path: '/api/mirrors/{mirrorId}/retry',
    auth: 'user',
    summary: 'Try a failed mirror again now',
    params: z.strictObject({ mirrorId: id }),
    output: z.strictObject({ pending: z.int() }),
    errors: ['NOT_FAILED'],
    status: 202,
  }),
};
