import type { Feature } from '#platform/feature.ts';
import { jobs, schedules } from './jobs.ts';
import { pages, rawRoutes, routes } from './routes.ts';
import { findSetUpLink } from './sign-in/registration.ts';
import { claimSetUpLink } from './store/set-up.ts';

export const access: Feature = {
  name: 'access',
  routes: [routes],
  pages,
  rawRoutes,
  jobs,
  schedules,
  async greet(app) {
    const link = await findSetUpLink(app);
    if (link === null) return undefined;
    if (await claimSetUpLink(app.db)) return `The first administrator signs up here, once: ${link}`;
    return 'There is no administrator yet. To have the next start print the set-up link again: npm run admin -- set-up-link';
  },
};
