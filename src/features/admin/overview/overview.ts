import { countBilling } from '#features/billing/public.ts';
import { listCallSums } from '#features/sync/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { readDatabaseTime } from '#platform/db.ts';
import { viewServices } from '../health/health.ts';
import { worstOf } from '../health/rules.ts';
import { brandingOfKind } from '../integrations/integrations.ts';
import { sumUp } from '../integrations/rules.ts';
import { countAll } from '../store/count.ts';
import { getSuccessRates, getWatched, noteCounts } from '../store/watched.ts';
import type { overviewEndpoints } from './contract.ts';

/** Uptime is of 30 days in the section of the integrations; here a day is enough. */
const dayHours = 24;

/** Everything from rows that are kept: as quick with a hundred thousand people as with one. */
export async function getOverview(app: App): Promise<Output<typeof overviewEndpoints.readOverview>> {
  const [watched, success, sums, now] = await Promise.all([
    getWatched(app.db),
    getSuccessRates(app.db),
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
      ...brandingOfKind(name),
      name,
      accounts: accounts.get(name) ?? 0,
    })),
  };
}

/** Runs the count of the minute job immediately. */
export async function countNow(app: App): Promise<Output<typeof overviewEndpoints.countNow>> {
  await countEverything(app);
  return getOverview(app);
}

/** Counts the whole install, and stores the counts for readers. */
export async function countEverything(app: Pick<App, 'config' | 'clock' | 'db'>): Promise<void> {
  const [counts, billing] = [await countAll(app.db), await countBilling(app)];
  await noteCounts(app.db, {
    ...counts,
    billing: billing && { ...billing, tiers: withRest(billing.tiers, counts.people.all) },
  });
}

/** Adds users unknown to billing: nobody asked for their entitlement so far, and they have no plan yet. */
function withRest(tiers: readonly { name: string; people: number }[], all: number): { name: string; people: number }[] {
  const known = tiers.reduce((sum, { people }) => sum + people, 0);
  const none = tiers.find(({ name }) => name === '')?.people ?? 0;
  const rest = Math.max(0, all - known) + none;
  return [...tiers.filter(({ name }) => name !== ''), ...(rest > 0 ? [{ name: '', people: rest }] : [])];
}
