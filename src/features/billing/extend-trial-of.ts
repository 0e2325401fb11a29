import { demandRecentProof, recordAct } from '#features/accounts/public.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { billingContract } from './contract.ts';
import { demandPerson } from './demand-person.ts';
import { billingTopic } from './events.ts';
import { loadStanding } from './load-standing.ts';
import { extendTrial, extensionDays } from './rules/trial.ts';
import { moveTrialEnd } from './store/people.ts';

/**
 * Seven days more for one person. Whoever presses twice has seen the same end twice, and gives them once.
 * *Errors*: as `demandRecentProof` and `demandPerson`; AppError conflict (STALE, TRIAL_LIMIT).
 */
export async function extendTrialOf(
  app: Pick<App, 'db' | 'config' | 'clock' | 'feed'>,
  actor: Actor,
  { email, ends_at: seenMs, reason }: Input<typeof billingContract.extendTrial>['body'],
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  const { id } = await demandPerson(app, email);
  await inTransaction(app.db, async (tx) => {
    const { trial } = await loadStanding(app, tx, id);
    const longer = trial === null ? null : extendTrial(trial, app.clock.nowMs());
    if (longer === null)
      throw new AppError(
        'conflict',
        'TRIAL_LIMIT',
        'A trial lasts a year at most, extensions included. Nothing was changed.',
      );
    if (!(await moveTrialEnd(tx, id, seenMs, longer.endsMs)))
      throw new AppError(
        'conflict',
        'STALE',
        'This trial ends at another time by now. Nothing was changed: look again.',
      );
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
