import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { isBillingOn, isLiveKey } from './is-billing-on.ts';
import { currentSubscription, decideEntitlement } from './rules/entitlements.ts';
import { sumPaid } from './store/invoices.ts';
import { countUnsubscribed, listSubscribers } from './store/people.ts';
import { listPlans } from './store/plans.ts';

const dayMs = 86_400_000;
const atOnce = 2_000;

interface Named {
  name: string;
  people: number;
}

interface Money {
  currency: string;
  /** In the smallest unit. */
  amount: number;
}

export interface BillingCounts {
  /** People by the plan that they have; `''`: none. */
  tiers: Named[];
  /** People with a subscription, by how it stands. */
  states: Named[];
  /** What is charged in a month, as things stand: active and overdue subscriptions, a year's by its twelfth. */
  monthly: Money[];
  /** What was paid in 30 days. */
  paid: Money[];
}

/**
 * Who has what, by the rule that decides it for each of them. Only those who ever had a subscription are read one by one;
 * the rest are in their trial or after it. Null where this install asks nobody for money.
 */
export async function countBilling({
  config,
  clock,
  db,
}: Pick<App, 'config' | 'clock' | 'db'>): Promise<BillingCounts | null> {
  if (!isBillingOn(config)) return null;
  const [live, nowMs] = [isLiveKey(config), clock.nowMs()];
  const [plans, { inTrial, others }, paid] = await Promise.all([
    listPlans(db),
    countUnsubscribed(db, live, nowMs),
    sumPaid(db, live, nowMs - 30 * dayMs),
  ]);
  const [tiers, states, monthly] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const add = (to: Map<string, number>, key: string, amount: number) => to.set(key, (to.get(key) ?? 0) + amount);
  const addTier = (
    standing: Pick<Parameters<typeof decideEntitlement>[0], 'trialEndsMs' | 'subscriptions'>,
    people: number,
  ) => (people === 0 ? tiers : add(tiers, decideEntitlement({ plans, ...standing }, nowMs).plan?.name ?? '', people));
  addTier({ trialEndsMs: nowMs + 1, subscriptions: [] }, inTrial);
  addTier({ trialEndsMs: null, subscriptions: [] }, others);
  for (let after: UserId | null = null; ; ) {
    const page = await listSubscribers(db, live, { after, limit: atOnce });
    for (const person of page) {
      addTier(person, 1);
      const current = currentSubscription(person.subscriptions);
      if (current !== null) add(states, current.status, 1);
      for (const { status, amount, every, currency } of person.subscriptions)
        if (status === 'active' || status === 'past_due')
          add(monthly, currency, every === 'year' ? amount / 12 : amount);
    }
    after = page.at(-1)?.userId ?? null;
    if (page.length < atOnce) break;
  }
  return {
    tiers: named(tiers),
    states: named(states),
    monthly: [...monthly].map(([currency, amount]) => ({ currency, amount: Math.round(amount) })),
    paid,
  };
}

const named = (counts: ReadonlyMap<string, number>): Named[] =>
  [...counts].map(([name, people]) => ({ name, people })).sort((a, b) => b.people - a.people);
