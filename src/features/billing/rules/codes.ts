import { isLive, type Subscription } from './entitlements.ts';
import { longestTrialDays, type Trial } from './trial.ts';

const dayMs = 86_400_000;

/** Money that a code takes off, as Stripe counts it. */
export interface Discount {
  codeId: string;
  code: string;
  percent: number | null;
  amount: number | null;
  currency: string | null;
  /** So long it takes something off; null: for good. */
  months: number | null;
}

export interface Redeemed extends Discount {
  redeemedMs: number;
}

/** As it is stored and compared: nobody shall fail at a small letter or a space around it. */
export const readCode = (typed: string) => typed.trim().toUpperCase();

/** More days, as one press of the operator's gives them; null where the whole would be longer than a year. */
export function addDays(trial: Trial | null, days: number, nowMs: number): Trial | null {
  const startedMs = trial?.startedMs ?? nowMs;
  const endsMs = Math.max(trial?.endsMs ?? nowMs, nowMs) + days * dayMs;
  return endsMs - startedMs > longestTrialDays * dayMs ? null : { startedMs, endsMs };
}

/**
 * What the next subscription costs less: the newest code that took no money off one yet. Amounts are of one currency: at a
 * plan of another they are nothing.
 */
export function openDiscount(
  redeemed: readonly Redeemed[],
  subscriptions: readonly Subscription[],
  currency?: string,
): Discount | null {
  const begun = Math.max(
    ...subscriptions.filter((one) => isLive(one) || one.status === 'canceled').map(({ startedMs }) => startedMs),
    0,
  );
  const open = redeemed
    .filter(({ percent, amount }) => percent !== null || amount !== null)
    .filter((one) => one.amount === null || currency === undefined || one.currency === currency)
    // Stripe counts in seconds
    .filter(({ redeemedMs }) => Math.floor(redeemedMs / 1000) * 1000 > begun)
    .toSorted((a, b) => b.redeemedMs - a.redeemedMs);
  return open[0] ?? null;
}
