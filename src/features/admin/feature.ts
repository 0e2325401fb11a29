import type { Feature } from '#platform/feature.ts';
import { auditRoutes } from './audit/routes.ts';
import { brandingFiles, brandingRoutes } from './branding/routes.ts';
import { startHeartbeat } from './health/health.ts';
import { systemRoutes } from './health/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { jobs, schedules } from './jobs.ts';
import { overviewRoutes } from './overview/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { userRoutes } from './users/routes.ts';

export const admin: Feature = {
  name: 'admin',
  routes: [userRoutes, auditRoutes, integrationRoutes, overviewRoutes, settingsRoutes, brandingRoutes, systemRoutes],
  rawRoutes: brandingFiles,
  jobs,
  schedules,
  start: startHeartbeat,
};
