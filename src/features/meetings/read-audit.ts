import type * as z from 'zod/mini';
import { findItem } from '#features/calendar/public.ts';
import { readEventId } from '#features/calendar/rules/read-event-id.ts';
import { listCalendars } from '#features/connections/public.ts';
import { hasMirror, listAudit } from '#features/sync/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { auditEntryShape } from './contract.ts';

const mostLines = 500;

/** The trail of a mirror, or of those of an event or instance; it outlives both, so only what never was is not found. */
export async function readAudit(
  { db }: Pick<App, 'db'>,
  { userId }: Actor,
  eventId: string,
): Promise<z.output<typeof auditEntryShape>[]> {
  const { itemId: id, recId } = readEventId(eventId);
  const [rows, calendars] = await Promise.all([
    listAudit(db, userId, { id, recId }, mostLines),
    listCalendars(db, userId),
  ]);
  if (rows.length === 0 && !(await findItem(db, userId, id)) && !(await hasMirror(db, userId, id)))
    throw new AppError('not-found', 'NOT_FOUND', 'There is no such event or mirror.');
  const nameOf = new Map(calendars.map((calendar) => [calendar.id, calendar.name]));
  return rows.map((row) => ({
    id: String(row.id),
    timestamp: row.at.toString({ fractionalSecondDigits: 3 }),
    type: row.type,
    actor: row.actor,
    message: row.message,
    duration_ms: row.durationMs,
    status: row.status,
    error: row.errorCode,
    request_id: row.requestId,
    target: row.targetCalendarId === null ? null : (nameOf.get(row.targetCalendarId) ?? null),
  }));
}
