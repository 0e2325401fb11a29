import type { Feature } from '#platform/feature.ts';
import { guestRoutes } from './guests/routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { jobs, listeners, schedules } from './jobs.ts';
import { routes } from './routes.ts';
import { measures } from './store/measures.ts';

export const edits: Feature = {
  name: 'edits',
  routes: [routes, invitationRoutes, guestRoutes],
  jobs,
  schedules,
  listeners,
  measures,
};
