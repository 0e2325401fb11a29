import { listAudit, resyncEvent, retryOne } from '#features/sync/public.ts';
import type { AuditRow } from '#features/sync/public.ts';
import { bindRoutes } from '#platform/routes.ts';
import { meetingsContract } from './contract.ts';
import { listMirrors } from './list-mirrors.ts';

const mostLines = 500;

export const routes = bindRoutes(meetingsContract, {
  listMeetings: ({ app, actor, input }) => listMirrors(app, actor, input.query),
  readAudit: async ({ app, actor, input }) => ({
    logs: (await listAudit(app.db, actor.userId, input.params.id, mostLines)).map(auditView),
  }),
  resyncMirrors: async ({ app, actor, input }) => ({ pending: await resyncEvent(app, actor, input.params.eventId) }),
  retryMirror: async ({ app, actor, input }) => {
    await retryOne(app, actor, input.params.mirrorId);
    return { pending: 1 };
  },
});

function auditView(row: AuditRow) {
  return {
    id: String(row.id),
    timestamp: row.at.toString({ fractionalSecondDigits: 3 }),
    type: row.type,
    actor: row.actor,
    message: row.message,
    duration_ms: row.durationMs,
    status: row.status,
    error: row.errorCode,
    request_id: row.requestId,
  };
}
