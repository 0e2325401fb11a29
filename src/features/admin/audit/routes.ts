import { verifyAudit } from '#features/accounts/audit/public.ts';
import { bindRoutes } from '#platform/routes.ts';
import { exportAudit, listAudit } from './audit.ts';
import { auditEndpoints } from './contract.ts';

export const auditRoutes = bindRoutes(auditEndpoints, {
  listAudit: ({ app, input }) => listAudit(app, input.query),
  exportAuditCsv: ({ app, actor, input, request }) => exportAudit(app, actor, input.query, 'csv', request),
  exportAuditJson: ({ app, actor, input, request }) => exportAudit(app, actor, input.query, 'json', request),
  verifyAudit: ({ app }) => verifyAudit(app.db),
});
