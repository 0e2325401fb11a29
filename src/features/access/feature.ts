import type { Feature } from '#platform/feature.ts';
import { findSetUpLink } from './find-set-up-link.ts';
import { jobs, schedules } from './jobs.ts';
import { pages, rawRoutes, routes } from './routes.ts';

export const access: Feature = {
  name: 'access',
  routes: [routes],
  pages,
  rawRoutes,
  jobs,
  schedules,
  async greet(app) {
    const link = await findSetUpLink(app);
    return link === null ? undefined : `The first administrator signs up here, once: ${link}`;
  },
};
