import { randomUUID } from 'node:crypto';
import { demandRecentProof, recordAct } from '#features/accounts/public.ts';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { isBillingOn } from './is-billing-on.ts';
import { type codeEndpoints, mostCodes } from './rules/code-endpoints.ts';
import { readCode } from './rules/codes.ts';
import { insertCode } from './store/codes.ts';
import { listPlans } from './store/plans.ts';

/**
 * What it takes off becomes a coupon at Stripe when somebody pays with it.
 * *Errors*: as `demandRecentProof`; AppError conflict (BILLING_OFF, TAKEN, TOO_MANY).
 */
export async function createCode(
  app: Pick<App, 'db' | 'config'>,
  actor: Actor,
  given: Input<typeof codeEndpoints.createCode>['body'],
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  if (!isBillingOn(app.config))
    throw new AppError('conflict', 'BILLING_OFF', 'Everything is included here, and there is nothing to pay.');
  const id = randomUUID();
  await inTransaction(app.db, async (tx) => {
    const currency = (await listPlans(tx)).find(({ amount }) => amount > 0)?.currency ?? 'usd';
    const made = await insertCode(
      tx,
      {
        id,
        code: readCode(given.code),
        percent: given.percent,
        amount: given.amount,
        currency: given.amount === null ? null : currency,
        months: given.months,
        extraDays: given.extra_days,
        maxUses: given.max_uses,
        expiresMs: given.expires_at,
      },
      mostCodes,
    );
    if (made === 'taken')
      throw new AppError('conflict', 'TAKEN', 'There is or was such a code already. Nothing was changed.');
    if (made === 'full')
      throw new AppError(
        'conflict',
        'TOO_MANY',
        `There are ${mostCodes} codes that can be used. End some of them first.`,
      );
    const { percent, amount, months, extra_days: days, max_uses: uses } = given;
    const facts = { percent, amount, months, days, uses };
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'code_creation',
      subject: { kind: 'code', id },
      reason: given.reason,
      request,
      details: Object.fromEntries(Object.entries(facts).filter((fact): fact is [string, number] => fact[1] !== null)),
    });
  });
}
