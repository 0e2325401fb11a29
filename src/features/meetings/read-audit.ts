import { findItem } from '#features/calendar/public.ts';
import { type AuditRow, hasMirror, listAudit } from '#features/sync/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';

const mostLines = 500;

/** The trail of a mirror or of an event's mirrors; it outlives both, so only what never was anything is not found. */
export async function readAudit(app: Pick<App, 'db'>, actor: Actor, id: string): Promise<AuditRow[]> {
  const rows = await listAudit(app.db, actor.userId, id, mostLines);
  if (rows.length > 0 || (await findItem(app.db, actor.userId, id)) || (await hasMirror(app.db, actor.userId, id)))
    return rows;
  throw new AppError('not-found', 'NOT_FOUND', 'There is no such event or mirror.');
}
