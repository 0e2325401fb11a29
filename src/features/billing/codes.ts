import { randomUUID } from 'node:crypto';
import { recordAct } from '#features/accounts/audit/public.ts';
import { demandRecentProof } from '#features/accounts/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { getStanding, isBillingOn } from './billing.ts';
import { type codeEndpoints, mostCodes } from './contract.ts';
import { billingTopic } from './events.ts';
import { addDays, isLive, readCode } from './rules.ts';
import { type Code, insertCode, insertRedemption, listCodes, takeUse, updateEnded } from './store/codes.ts';
import { lockPerson, setTrial } from './store/people.ts';
import { listPlans } from './store/plans.ts';

/**
 * A discount becomes a Stripe coupon at the first payment.
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
    throw new AppError('conflict', 'BILLING_OFF', "Everything is already included. There's nothing to pay.");
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
      throw new AppError('conflict', 'TAKEN', 'This code has already been used as a name. Choose another.');
    if (made === 'full')
      throw new AppError('conflict', 'TOO_MANY', `You can have up to ${mostCodes} active codes. End one first.`);
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

/** Ends a code. Users who redeemed it keep its benefit. *Errors*: as `demandRecentProof`; AppError not-found. */
export async function endCode(
  app: Pick<App, 'db'>,
  actor: Actor,
  { code_id: id, reason }: { code_id: string; reason: string },
  request: RequestFacts,
): Promise<void> {
  demandRecentProof(actor);
  await inTransaction(app.db, async (tx) => {
    if (!(await updateEnded(tx, id)))
      throw new AppError('not-found', 'NOT_FOUND', 'Code not found, or no longer active.');
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'code_ending',
      subject: { kind: 'code', id },
      reason,
      request,
    });
  });
}

/** A limit against guessing codes. */
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
    throw new AppError('conflict', 'BILLING_OFF', "Everything is already included. There's nothing to pay.");
  await takeAllowance(app.db, tries, userId);
  await getStanding(app, app.db, userId);
  await inTransaction(app.db, async (tx) => {
    await lockPerson(tx, userId);
    const nowMs = app.clock.nowMs();
    const { trial, subscriptions } = await getStanding(app, tx, userId);
    if (subscriptions.some(isLive))
      throw new AppError(
        'conflict',
        'SUBSCRIBED',
        'Codes only apply to new subscriptions, and you already have one. The code was not applied.',
      );
    const code = await takeUse(tx, readCode(typed), nowMs);
    if (code === null) throw new AppError('conflict', 'NO_CODE', 'This code is invalid or has expired.');
    if (!(await insertRedemption(tx, code.id, userId, nowMs)))
      throw new AppError('conflict', 'CODE_USED', "You've already used this code.");
    if (code.extraDays !== null) {
      const longer = addDays(trial, code.extraDays, nowMs);
      if (longer === null)
        throw new AppError(
          'conflict',
          'TRIAL_LIMIT',
          'A trial can last up to a year, including days from codes. The code was not applied.',
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

type Viewed = Output<typeof codeEndpoints.listCodes>['codes'][number];

/** Usable codes, and the newest of the others. */
export async function listCodesForAdmin({
  db,
  clock,
}: Pick<App, 'db' | 'clock'>): Promise<Output<typeof codeEndpoints.listCodes>> {
  const nowMs = clock.nowMs();
  const codes = await listCodes(db, mostCodes);
  return { codes: codes.map((code) => view(code, nowMs)) };
}

const view = (code: Code, nowMs: number): Viewed => ({
  id: code.id,
  code: code.code,
  percent: code.percent,
  amount: code.amount,
  currency: code.currency,
  months: code.months,
  extra_days: code.extraDays,
  max_uses: code.maxUses,
  uses: code.uses,
  expires_at: code.expiresMs,
  state: stateOf(code, nowMs),
});

function stateOf({ ended, expiresMs, maxUses, uses }: Code, nowMs: number): Viewed['state'] {
  if (ended) return 'ended';
  if (expiresMs !== null && nowMs >= expiresMs) return 'expired';
  return maxUses !== null && uses >= maxUses ? 'used-up' : 'active';
}
