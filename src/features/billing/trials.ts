import { recordAct } from '#features/accounts/audit/public.ts';
import { demandRecentProof } from '#features/accounts/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { getStanding, requireCustomer } from './billing.ts';
import type { billingContract } from './contract.ts';
import { billingTopic } from './events.ts';
import { extendTrial, extensionDays } from './rules.ts';
import { moveTrialEnd } from './store/people.ts';

/** *Errors*: as `requireCustomer`. */
export async function getTrial(
  app: Pick<App, 'db' | 'config' | 'clock'>,
  typed: string,
): Promise<Output<typeof billingContract.findTrial>> {
  const { id, email } = await requireCustomer(app, typed);
  return { email, ends_at: (await getStanding(app, app.db, id)).trialEndsMs };
}

/**
 * Seven days more for one person. A second press with the same end adds nothing. *Errors*: as `demandRecentProof` and
 * `requireCustomer`; AppError conflict (STALE, TRIAL_LIMIT).
 */
export async function extendTrialOf(
  app: Pick<App, 'db' | 'config' | 'clock' | 'feed'>,
  actor: Actor,
  { email, ends_at: seenMs, reason }: Input<typeof billingContract.extendTrial>['body'],
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  const { id } = await requireCustomer(app, email);
  await inTransaction(app.db, async (tx) => {
    const { trial } = await getStanding(app, tx, id);
    const longer = trial === null ? null : extendTrial(trial, app.clock.nowMs());
    if (longer === null)
      throw new AppError(
        'conflict',
        'TRIAL_LIMIT',
        'A trial can last up to a year, including extensions. Nothing was changed.',
      );
    if (!(await moveTrialEnd(tx, id, seenMs, longer.endsMs)))
      throw new AppError('conflict', 'STALE', 'This trial was just changed. Reload it and try again.');
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'trial_extension',
      subject: { kind: 'user', id },
      reason,
      request,
      details: { days: extensionDays },
    });
    await app.feed.publish(tx, id, billingTopic);
  });
}
