import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { readOverview } from './read-overview.ts';
import type { overviewEndpoints } from './rules/overview-endpoints.ts';
import { countAll } from './store/count.ts';
import { noteCounts } from './store/watched.ts';

/** What a worker does every minute, for somebody who does not want to wait for it. */
export async function countNow(app: App): Promise<Output<typeof overviewEndpoints.countNow>> {
  await noteCounts(app.db, await countAll(app.db));
  return readOverview(app);
}
