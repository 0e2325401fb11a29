import * as z from 'zod/mini';
import { recordAct } from '#features/accounts/audit/public.ts';
import { faceOf, listAccountsOfKind, listWorstAccounts } from '#features/connections/public.ts';
import { listCallSums, readAgain } from '#features/sync/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, readDatabaseTime } from '#platform/db.ts';
import { defineJob } from '#platform/jobs.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { getWatched } from '../store/watched.ts';
import type { integrationEndpoints } from './contract.ts';
import { maskAddress, sumUp } from './rules.ts';

const monthHours = 30 * 24;
const worstShown = 5;
/** Calendars looked at for them, the ones with most failures in a row. */
const worstLookedAt = 200;

export async function listIntegrations(app: App): Promise<Output<typeof integrationEndpoints.readIntegrations>> {
  const [sums, worst, { counts }, now] = await Promise.all([
    listCallSums(app.db, monthHours),
    listWorstAccounts(app.db, worstLookedAt),
    getWatched(app.db),
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
      const { color, label } = brandingOfKind(kind);
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

const resyncedAtOnce = 500;

export const resyncJob = defineJob({
  name: 'admin.resync',
  payload: z.strictObject({ provider: z.string(), profile: z.string(), after: z.nullable(z.string()) }),
  async handle(app, { after, ...kind }) {
    await inTransaction(app.db, async (tx) => {
      const page = { only: null, after: after as ConnectionId | null, limit: resyncedAtOnce };
      const ids = await listAccountsOfKind(tx, kind, page);
      await readAgain(app, tx, ids);
      const last = ids.at(-1);
      if (last !== undefined && ids.length === resyncedAtOnce)
        await app.jobs.send(resyncJob, { ...kind, after: last }, { tx });
    });
  },
});

type Wish = Input<typeof integrationEndpoints.resync>['body'];

/** Pulls one account now, or all accounts of a kind in batches by a job. *Errors*: AppError not-found. */
export async function resync(
  app: App,
  actor: Actor,
  { provider, profile, accountId, reason }: Wish,
  request: RequestFacts,
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const [first] = await listAccountsOfKind(
      tx,
      { provider, profile },
      { only: accountId ?? null, after: null, limit: 1 },
    );
    if (first === undefined) throw new AppError('not-found', 'NOT_FOUND', 'Account not found. Nothing was requested.');
    if (accountId === undefined) await app.jobs.send(resyncJob, { provider, profile, after: null }, { tx });
    else await readAgain(app, tx, [accountId]);
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'integration_resync',
      ...(accountId === undefined ? {} : { subject: { kind: 'connection', id: accountId } }),
      reason,
      request,
      details: { provider, profile },
    });
  });
}

/** How a kind of account looks, by `provider/profile`. */
export function brandingOfKind(kind: string): { label: string; color: string } {
  const [provider = '', profile = ''] = kind.split('/');
  const { label, color } = faceOf({ provider, profile });
  return { label: profile === 'simulated' ? `${label} (simulated)` : label, color };
}
