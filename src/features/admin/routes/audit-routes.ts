import { verifyAudit } from '#features/accounts/public.ts';
import { bindRoutes } from '#platform/routes.ts';
import { auditEndpoints } from '../rules/audit-endpoints.ts';

export const auditRoutes = bindRoutes(auditEndpoints, {
  verifyAudit: ({ app }) => verifyAudit(app.db),
});
