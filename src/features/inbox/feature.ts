import type { Feature } from '#platform/feature.ts';
import { jobs, schedules } from './jobs.ts';
import { loadPushKey } from './load-push-key.ts';
import { routes } from './routes.ts';

export const inbox: Feature = {
  name: 'inbox',
  routes: [routes],
  jobs,
  schedules,
  // here, as reading changes nothing
  async start(app) {
    await loadPushKey(app);
    return undefined;
  },
};
