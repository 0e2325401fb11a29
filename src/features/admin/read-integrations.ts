import { listWorstAccounts } from '#features/connections/public.ts';
import { listCallSums } from '#features/sync/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { readDatabaseTime } from '#platform/db.ts';
import { faceOfKind } from './face-of-kind.ts';
import { maskAddress, sumUp } from './rules/integration.ts';
import type { integrationEndpoints } from './rules/integration-endpoints.ts';
import { readWatched } from './store/watched.ts';

const monthHours = 30 * 24;
const worstShown = 5;
/** Calendars looked at for them, the ones with most failures in a row. */
const worstLookedAt = 200;

export async function readIntegrations(app: App): Promise<Output<typeof integrationEndpoints.readIntegrations>> {
  const [sums, worst, { counts }, now] = await Promise.all([
    listCallSums(app.db, monthHours),
    listWorstAccounts(app.db, worstLookedAt),
    readWatched(app.db),
    readDatabaseTime(app.db),
  ]);
  const kindOf = ({ provider, profile }: { provider: string; profile: string }) => `${provider}/${profile}`;
  const hours = Map.groupBy(sums, kindOf);
  const failing = Map.groupBy(worst, kindOf);
  const accounts = new Map(counts?.accounts.map((one) => [kindOf(one), one]));
  // our own calendars ask nobody
  const kinds = [...new Set([...accounts.keys(), ...hours.keys()])].filter((kind) => !kind.startsWith('holdfast/'));
  return {
    at: now.epochMilliseconds,
    integrations: kinds.map((kind) => {
      const [provider = '', profile = ''] = kind.split('/');
      const { color, label } = faceOfKind(kind);
      return {
        ...sumUp(hours.get(kind) ?? [], now.epochMilliseconds),
        provider,
        profile,
        color,
        label,
        accounts: accounts.get(kind)?.all ?? 0,
        lost: accounts.get(kind)?.lost ?? 0,
        worst: (failing.get(kind) ?? []).slice(0, worstShown).map(({ label: address, ...account }) => ({
          ...account,
          address: maskAddress(address),
        })),
      };
    }),
  };
}
