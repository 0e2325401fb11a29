import type { Feature } from '#platform/feature.ts';
import { jobs, schedules } from './jobs.ts';
import { getOwnPushKey } from './push-key.ts';
import { routes } from './routes.ts';

export const inbox: Feature = {
  name: 'inbox',
  routes: [routes],
  jobs,
  schedules,
  // here, as reading changes nothing
  async start(app) {
    await getOwnPushKey(app);
    return undefined;
  },
};
