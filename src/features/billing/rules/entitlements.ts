import { isFreePlan, isTrialPlan, type Limits, nothingMore, type Plan, unlimited } from './plans.ts';

const dayMs = 86_400_000;
/** So long an invoice may stay unpaid: the two weeks in which Stripe tries a card again by default. */
export const dunningDays = 14;
/** So long after the end of what was paid for we wait to hear of the next period: as long as Stripe repeats what it tells. */
export const lateNewsDays = 3;

export const subscriptionStatuses = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** As it was last fetched from Stripe. */
export interface Subscription {
  id: string;
  itemId: string;
  status: SubscriptionStatus;
  priceId: string;
  /** Null: of a price that is none of ours. */
  planKey: string | null;
  amount: number;
  currency: string;
  every: string;
  startedMs: number;
  periodEndsMs: number;
  trialEndsMs: number | null;
  /** It ends then by itself. */
  cancelsMs: number | null;
  endedMs: number | null;
  unpaidSinceMs: number | null;
  nextAmount: number | null;
}

/** All that decides what somebody may. */
export interface Standing {
  plans: readonly Plan[];
  trialEndsMs: number | null;
  subscriptions: readonly Subscription[];
}

export interface Entitlement {
  /** `off`: this install asks nobody for money, everything is there. */
  source: 'off' | 'subscription' | 'trial' | 'free' | 'none';
  plan: Plan | null;
  limits: Limits;
  /** Until when it is certain; null: until somebody changes it. */
  untilMs: number | null;
}

export const everything: Entitlement = { source: 'off', plan: null, limits: unlimited, untilMs: null };

/**
 * What somebody may: by what they pay for, then by their trial, then by a plan that costs nothing, where the operator offers
 * one. Nothing else entitles. A pure function of what was fetched and the time.
 */
export function decideEntitlement({ plans, trialEndsMs, subscriptions }: Standing, nowMs: number): Entitlement {
  const planOf = (key: string | null) => plans.find((plan) => plan.key === key);
  const paid = subscriptions
    .flatMap((subscription) => {
      const plan = planOf(subscription.planKey);
      const untilMs = entitledUntil(subscription);
      return plan === undefined || untilMs === null || nowMs >= untilMs ? [] : [{ plan, untilMs }];
    })
    .sort((a, b) => b.plan.position - a.plan.position || b.untilMs - a.untilMs)[0];
  if (paid !== undefined) return { source: 'subscription', limits: paid.plan.limits, ...paid };
  const trial = plans.find(isTrialPlan);
  if (trial !== undefined && trialEndsMs !== null && nowMs < trialEndsMs)
    return { source: 'trial', plan: trial, limits: trial.limits, untilMs: trialEndsMs };
  const free = plans.find((plan) => plan.active && isFreePlan(plan));
  if (free !== undefined) return { source: 'free', plan: free, limits: free.limits, untilMs: null };
  return { source: 'none', plan: null, limits: nothingMore, untilMs: null };
}

/** Until when a subscription entitles, as far as is known; null for one that does not. */
export function entitledUntil(subscription: Subscription): number | null {
  const { status, periodEndsMs, trialEndsMs, cancelsMs, unpaidSinceMs } = subscription;
  const before = (ms: number) => (cancelsMs === null ? ms : Math.min(ms, cancelsMs));
  switch (status) {
    case 'trialing':
      return before((trialEndsMs ?? periodEndsMs) + lateNewsDays * dayMs);
    case 'active':
      return before(periodEndsMs + lateNewsDays * dayMs);
    case 'past_due':
      return unpaidSinceMs === null ? null : before(unpaidSinceMs + dunningDays * dayMs);
    default:
      return null;
  }
}

/** Not over yet: what a person has, be it paid or not. */
export const isLive = ({ status }: Pick<Subscription, 'status'>) =>
  status === 'trialing' || status === 'active' || status === 'past_due' || status === 'unpaid' || status === 'paused';

/** What a person is shown as theirs: what is live before what is over, the newest of each. */
export function currentSubscription(subscriptions: readonly Subscription[]): Subscription | null {
  const shown = subscriptions.filter(({ status }) => status !== 'incomplete' && status !== 'incomplete_expired');
  const order = (one: Subscription) => [Number(isLive(one)), one.startedMs] as const;
  return (
    shown.toSorted((a, b) => {
      const [x, y] = [order(a), order(b)];
      return y[0] - x[0] || y[1] - x[1];
    })[0] ?? null
  );
}

/** Whether one more can be added where there are so many already. */
export const hasRoom = (limit: number | null, count: number) => limit === null || count < limit;
