import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { countEverything } from './count-everything.ts';
import { readOverview } from './read-overview.ts';
import type { overviewEndpoints } from './rules/overview-endpoints.ts';

/** What a worker does every minute, for somebody who does not want to wait for it. */
export async function countNow(app: App): Promise<Output<typeof overviewEndpoints.countNow>> {
  await countEverything(app);
  return readOverview(app);
}
