import type { Feature } from '#platform/feature.ts';
import { jobs, schedules } from './jobs.ts';
import { keepBeat } from './keep-beat.ts';
import { auditRoutes } from './routes/audit-routes.ts';
import { brandingFiles, brandingRoutes } from './routes/branding-routes.ts';
import { integrationRoutes } from './routes/integration-routes.ts';
import { overviewRoutes } from './routes/overview-routes.ts';
import { settingsRoutes } from './routes/settings-routes.ts';
import { systemRoutes } from './routes/system-routes.ts';
import { userRoutes } from './routes/user-routes.ts';

export const admin: Feature = {
  name: 'admin',
  routes: [userRoutes, auditRoutes, integrationRoutes, overviewRoutes, settingsRoutes, brandingRoutes, systemRoutes],
  rawRoutes: brandingFiles,
  jobs,
  schedules,
  start: keepBeat,
};
