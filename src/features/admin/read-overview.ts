import { listCallSums } from '#features/sync/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { readDatabaseTime } from '#platform/db.ts';
import { faceOfKind } from './face-of-kind.ts';
import { viewServices } from './read-health.ts';
import { worstOf } from './rules/health.ts';
import { sumUp } from './rules/integration.ts';
import type { overviewEndpoints } from './rules/overview-endpoints.ts';
import { readSuccess, readWatched } from './store/watched.ts';

/** Uptime is of 30 days in the section of the integrations; here a day is enough. */
const dayHours = 24;

/** Everything from rows that are kept: as quick with a hundred thousand people as with one. */
export async function readOverview(app: App): Promise<Output<typeof overviewEndpoints.readOverview>> {
  const [watched, success, sums, now] = await Promise.all([
    readWatched(app.db),
    readSuccess(app.db),
    listCallSums(app.db, dayHours),
    readDatabaseTime(app.db),
  ]);
  const nowMs = now.epochMilliseconds;
  const calls = sums.filter(({ provider }) => provider !== 'holdfast');
  const hours = Map.groupBy(calls, ({ provider, profile }) => `${provider}/${profile}`);
  const accounts = new Map(watched.counts?.accounts.map((one) => [`${one.provider}/${one.profile}`, one.all]));
  const kinds = [...new Set([...accounts.keys(), ...hours.keys()])].filter((kind) => !kind.startsWith('holdfast/'));
  return {
    health: {
      at: watched.measuredMs,
      status: worstOf(watched.services),
      services: viewServices(watched.services, success),
    },
    counts: watched.counts && watched.countedMs !== null ? { ...watched.counts, at: watched.countedMs } : null,
    sync: sumUp(calls, nowMs),
    integrations: kinds.map((name) => ({
      ...sumUp(hours.get(name) ?? [], nowMs),
      ...faceOfKind(name),
      name,
      accounts: accounts.get(name) ?? 0,
    })),
  };
}
