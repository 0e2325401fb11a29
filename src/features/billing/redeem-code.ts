import { recordAct } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { billingTopic } from './events.ts';
import { isBillingOn } from './is-billing-on.ts';
import { loadStanding } from './load-standing.ts';
import { addDays, readCode } from './rules/codes.ts';
import { isLive } from './rules/entitlements.ts';
import { insertRedemption, takeUse } from './store/codes.ts';
import { lockPerson, setTrial } from './store/people.ts';

/** Nobody finds one by trying. */
const tries = { action: 'using a code', burst: 10, periodSeconds: 3_600 };

/**
 * Days are there at once, money comes off what is subscribed to next. All of it or nothing: what is refused has used nothing up.
 * *Errors*: AppError conflict (BILLING_OFF, NO_CODE, CODE_USED, SUBSCRIBED, TRIAL_LIMIT), limited.
 */
export async function redeemCode(
  app: Pick<App, 'db' | 'config' | 'clock' | 'feed'>,
  { userId }: Actor,
  typed: string,
  request: RequestFacts,
): Promise<void> {
  if (!isBillingOn(app.config))
    throw new AppError('conflict', 'BILLING_OFF', 'Everything is included here, and there is nothing to pay.');
  await takeAllowance(app.db, tries, userId);
  await loadStanding(app, app.db, userId);
  await inTransaction(app.db, async (tx) => {
    await lockPerson(tx, userId);
    const nowMs = app.clock.nowMs();
    const { trial, subscriptions } = await loadStanding(app, tx, userId);
    if (subscriptions.some(isLive))
      throw new AppError(
        'conflict',
        'SUBSCRIBED',
        'Codes are for a new subscription, and you have one already. The code was not used.',
      );
    const code = await takeUse(tx, readCode(typed), nowMs);
    if (code === null)
      throw new AppError('conflict', 'NO_CODE', 'There is no such code, or it cannot be used any more.');
    if (!(await insertRedemption(tx, code.id, userId, nowMs)))
      throw new AppError('conflict', 'CODE_USED', 'You have used this code already. Nothing was changed.');
    if (code.extraDays !== null) {
      const longer = addDays(trial, code.extraDays, nowMs);
      if (longer === null)
        throw new AppError(
          'conflict',
          'TRIAL_LIMIT',
          'A trial lasts a year at most, days of codes included. The code was not used.',
        );
      await setTrial(tx, userId, longer);
    }
    await recordAct(tx, {
      actorId: userId,
      action: 'code_redemption',
      subject: { kind: 'code', id: code.id },
      reason: null,
      request,
      details: { days: code.extraDays ?? 0, money: code.percent !== null || code.amount !== null },
    });
    await app.feed.publish(tx, userId, billingTopic);
  });
}
