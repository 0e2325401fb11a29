import type { AuditRow } from '#features/sync/public.ts';
import { resyncEvent, retryOne } from '#features/sync/public.ts';
import { bindRoutes } from '#platform/routes.ts';
import { meetingsContract } from './contract.ts';
import { listMirrors } from './list-mirrors.ts';
import { readAudit } from './read-audit.ts';

export const routes = bindRoutes(meetingsContract, {
  listMeetings: ({ app, actor, input }) => listMirrors(app, actor, input.query),
  readAudit: async ({ app, actor, input }) => ({
    logs: (await readAudit(app, actor, input.params.id)).map(auditView),
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
