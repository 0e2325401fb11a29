import type { Feature } from '#platform/feature.ts';
import { auditRoutes } from './routes/audit-routes.ts';

export const admin: Feature = { name: 'admin', routes: [auditRoutes] };
