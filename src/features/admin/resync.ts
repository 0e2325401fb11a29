import { recordAct } from '#features/accounts/public.ts';
import { listAccountsOfKind } from '#features/connections/public.ts';
import { readAgain } from '#features/sync/public.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { resyncJob } from './jobs.ts';
import type { integrationEndpoints } from './rules/integration-endpoints.ts';

type Wish = Input<typeof integrationEndpoints.resync>['body'];

/** One account is asked for at once; all of a kind by a job, some at a time. *Errors*: AppError not-found. */
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
    if (first === undefined)
      throw new AppError('not-found', 'NOT_FOUND', 'There is no such account. Nothing was asked for.');
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
