import { part } from '#kernel/errors.ts';

export const everyWords = ['month', 'year'] as const;
type Every = (typeof everyWords)[number];

/** Resources that a plan limits. */
export const countedThings = ['calendars', 'teams', 'workflows'] as const;
export type CountedThing = (typeof countedThings)[number];

/** Null: as many as one likes. */
type Limits = Readonly<Record<CountedThing | 'historyDays', number | null>>;

export const unlimited: Limits = { calendars: null, teams: null, workflows: null, historyDays: null };
/** The period of figures without any plan: the default of the dashboard. */
export const shortestHistoryDays = 30;
/** Nothing can be added; what is there stays. */
const nothingMore: Limits = { calendars: 0, teams: 0, workflows: 0, historyDays: shortestHistoryDays };

export interface Plan {
  key: string;
  name: string;
  description: string;
  /** In the smallest unit of its currency. */
  amount: number;
  currency: string;
  every: Every;
  features: string[];
  limits: Limits;
  /** Length of the trial, for the trial's plan; null for all others. */
  trialDays: number | null;
  /** Days of the trial that are left stay free for who takes it. */
  trialEligible: boolean;
  active: boolean;
  mostPopular: boolean;
  position: number;
  revision: number;
}

export const isTrialPlan = (plan: Plan) => plan.trialDays !== null;
/** Can be had without paying, for as long as one likes. */
export const isFreePlan = (plan: Plan) => plan.amount === 0 && plan.trialDays === null;
export const isForSale = (plan: Plan) => plan.active && plan.amount > 0;

/** The only accounts that are no connection to anywhere: what Holdfast keeps itself. */
export const countsAsCalendar = ({ provider }: { provider: string }) => provider !== 'holdfast';

const dayMs = 86_400_000;

export const longestTrialDays = 365;
/** The time by which an administrator extends a trial. */
export const extensionDays = 7;

export interface Trial {
  startedMs: number;
  endsMs: number;
}

export const beginTrial = (days: number, nowMs: number): Trial => ({ startedMs: nowMs, endsMs: nowMs + days * dayMs });

/** More days, from its end or from now where that has passed; null where the whole would be longer than a year. */
export function extendTrial({ startedMs, endsMs }: Trial, nowMs: number): Trial | null {
  const longer = Math.max(endsMs, nowMs) + extensionDays * dayMs;
  return longer - startedMs > longestTrialDays * dayMs ? null : { startedMs, endsMs: longer };
}

/** Days that an invoice may stay unpaid: the two weeks in which Stripe retries a card by default. */
export const dunningDays = 14;
/** Wait for news of the next period after the end of the paid one: as long as Stripe repeats its webhooks. */
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
type SubscriptionStatus = (typeof subscriptionStatuses)[number];

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
  /** Time at which it ends. */
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
 * The entitlement of a user: by subscription, then by trial, then by a free plan, where the operator offers
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

/** The subscription that a user sees: live before ended, the newest of each. */
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

/** Money that a code takes off, as Stripe counts it. */
export interface Discount {
  codeId: string;
  code: string;
  percent: number | null;
  amount: number | null;
  currency: string | null;
  /** Duration of the discount; null: forever. */
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
 * The discount on the next subscription: the newest code that took no money off one yet. Amounts are of one currency: at a
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

/** Notice before the end of a trial. */
export const noticeMs = 3 * dayMs;
/** Age up to which an event is mailed: shorter than the outbox remembers its keys, so that nothing is mailed twice. */
export const newsMs = 14 * dayMs;

/** A mail that a user should get. Only one is sent for each `of`. */
export interface Notice {
  kind: 'trial' | 'first-payment' | 'failed' | 'ended';
  of: string;
  /** When it ends, or has ended. */
  atMs: number;
}

/** A pure function of what was fetched and the time: who asks again, or late, gets the same as long as it is so. */
export function planNotice(standing: Standing, nowMs: number): Notice | null {
  const subscription = currentSubscription(standing.subscriptions);
  const isSoon = (ms: number) => nowMs < ms && ms <= nowMs + noticeMs;
  if (subscription === null || !isLive(subscription)) {
    const { source, untilMs } = decideEntitlement(standing, nowMs);
    if (source === 'trial' && untilMs !== null && isSoon(untilMs))
      return { kind: 'trial', of: `${untilMs}`, atMs: untilMs };
    const endedMs = subscription?.status === 'canceled' ? subscription.endedMs : null;
    if (subscription === null || endedMs === null || endedMs <= nowMs - newsMs) return null;
    return { kind: 'ended', of: subscription.id, atMs: endedMs };
  }
  const { id, status, trialEndsMs, cancelsMs, unpaidSinceMs } = subscription;
  if (status === 'trialing' && trialEndsMs !== null && cancelsMs === null && isSoon(trialEndsMs))
    return { kind: 'first-payment', of: `${id}:${trialEndsMs}`, atMs: trialEndsMs };
  const untilMs = entitledUntil(subscription);
  if (status === 'past_due' && unpaidSinceMs !== null && untilMs !== null && nowMs < untilMs)
    return { kind: 'failed', of: `${id}:${unpaidSinceMs}`, atMs: untilMs };
  return null;
}

const named: Record<CountedThing, [one: string, many: string]> = {
  calendars: [part('calendar account'), part('calendar accounts')],
  teams: [part('team of your own'), part('teams of your own')],
  workflows: [part('workflow'), part('workflows')],
};

/** Why nothing was added, what was kept, and what to do. */
export function describeLimit(
  plan: string | null,
  thing: CountedThing,
  { limit, counted }: { limit: number; counted: number },
): { message: string; fields: Record<string, string> } {
  const [one, many] = named[thing];
  const has =
    plan === null
      ? part("You don't have a plan")
      : limit === 0
        ? part(`Your plan (${plan}) has no ${many}`)
        : part(`Your plan (${plan}) has ${limit} ${limit === 1 ? one : many}, and you have ${counted}`);
  return {
    message: `${has}. To add more, choose another plan under Billing.`,
    fields: { thing, limit: String(limit), counted: String(counted), address: '/billing' },
  };
}
