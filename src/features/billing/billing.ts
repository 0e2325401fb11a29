import { listAddresses } from '#features/accounts/people/public.ts';
import { canonicalEmail } from '#features/accounts/rules/email.ts';
import { findUserByEmail } from '#features/accounts/users/public.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Config } from '#platform/config.ts';
import type { Database, Tx } from '#platform/db.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { type billingContract, invoicesPerPage } from './contract.ts';
import {
  beginTrial,
  type CountedThing,
  currentSubscription,
  decideEntitlement,
  describeLimit,
  type Entitlement,
  entitledUntil,
  everything,
  hasRoom,
  isForSale,
  isLive,
  isTrialPlan,
  openDiscount,
  type Standing,
  type Trial,
  unlimited,
} from './rules.ts';
import { listRedeemed } from './store/codes.ts';
import { listOwnBilling } from './store/exports.ts';
import { listAllInvoices, listInvoices, sumPaid } from './store/invoices.ts';
import {
  countUnsubscribed,
  ensurePerson,
  findPerson,
  listPeople,
  listSubscribers,
  lockPerson,
  type Person,
} from './store/people.ts';
import { listPlans } from './store/plans.ts';
import { toShownInvoice } from './views.ts';

/** Whether this install asks people for money. Without a key of Stripe's it has one plan, with everything in it. */
export const isBillingOn = ({ stripe }: Pick<Config, 'stripe'>): boolean => stripe !== undefined;

/** Whether the key is for real money: what was made with one for tests is nothing then, and the other way round. */
export const isLiveKey = ({ stripe }: Pick<Config, 'stripe'>): boolean => /^[sr]k_live_/.test(stripe?.secretKey ?? '');

type WholeStanding = Standing & Person & { trial: Trial | null };

/** Everything that decides a user's entitlement. The trial begins with the first call. Only if billing is on. */
export async function getStanding(
  { config, clock }: Pick<App, 'config' | 'clock'>,
  db: Database,
  userId: UserId,
): Promise<WholeStanding> {
  const live = isLiveKey(config);
  const plans = await listPlans(db);
  let person = await findPerson(db, userId, live);
  if (person === null) {
    const days = plans.find((plan) => plan.active && isTrialPlan(plan))?.trialDays;
    await ensurePerson(db, userId, days == null ? null : beginTrial(days, clock.nowMs()));
    person = await findPerson(db, userId, live);
  }
  if (person === null) throw new Error(`no account ${userId}`);
  return { plans, trialEndsMs: person.trial?.endsMs ?? null, ...person };
}

/** The current entitlement of a user. Does not query the database if billing is off. */
export async function findEntitlement(
  app: Pick<App, 'config' | 'clock'>,
  db: Database,
  userId: UserId,
): Promise<Entitlement> {
  if (!isBillingOn(app.config)) return everything;
  return decideEntitlement(await getStanding(app, db, userId), app.clock.nowMs());
}

/**
 * Lets one more of something be added, in the transaction that adds it: of any number who add at once for the same person each
 * counts what those before have added. `count` is asked once the others have to wait. Nothing is asked where billing is off.
 *
 * *Errors*: AppError forbidden (`PLAN_LIMIT`).
 */
export async function requireAllowance(
  app: Pick<App, 'config' | 'clock'>,
  tx: Tx,
  userId: UserId,
  { thing, count }: { thing: CountedThing; count: () => Promise<number> },
): Promise<void> {
  if (!isBillingOn(app.config)) return;
  const { plan, limits } = await findEntitlement(app, tx, userId);
  if (limits[thing] === null) return;
  await lockPerson(tx, userId);
  const counted = await count();
  if (!hasRoom(limits[thing], counted)) {
    const { message, fields } = describeLimit(plan?.name ?? null, thing, { limit: limits[thing], counted });
    throw new AppError('forbidden', 'PLAN_LIMIT', message, { fields });
  }
}

/** The account with this address. Requires billing to be on. *Errors*: AppError not-found, conflict (BILLING_OFF). */
export async function requireCustomer(
  { db, config }: Pick<App, 'db' | 'config'>,
  typed: string,
): Promise<{ id: UserId; email: string }> {
  if (!isBillingOn(config))
    throw new AppError('conflict', 'BILLING_OFF', 'Everything is already included, so there are no trials.');
  const email = canonicalEmail(typed);
  const user = email === null ? undefined : await findUserByEmail(db, email);
  if (user === undefined) throw new AppError('not-found', 'NOT_FOUND', 'No account uses this address.');
  return { id: user.id, email: user.email };
}

type Billing = Output<typeof billingContract.readBilling>;

/** Two years of monthly invoices; the rest is on Stripe's page. */
const mostInvoices = 24;

const off: Billing = {
  billing: 'off',
  source: everything.source,
  plan: null,
  limits: unlimited,
  status: null,
  subscribedPlan: null,
  trialEndsAt: null,
  cancelAt: null,
  nextInvoiceDate: null,
  nextInvoiceAmount: null,
  currency: null,
  graceUntil: null,
  hasPortal: false,
  discount: null,
  plans: [],
  invoices: [],
};

export async function getBilling(app: Pick<App, 'config' | 'clock' | 'db'>, userId: UserId): Promise<Billing> {
  if (!isBillingOn(app.config)) return off;
  const nowMs = app.clock.nowMs();
  const standing = await getStanding(app, app.db, userId);
  const { plans, customerId } = standing;
  const { source, plan, limits } = decideEntitlement(standing, nowMs);
  const subscription = currentSubscription(standing.subscriptions);
  const goesOn = subscription !== null && isLive(subscription) && subscription.cancelsMs === null;
  const invoices = customerId === null ? [] : await listInvoices(app.db, customerId, mostInvoices);
  const discount = openDiscount(await listRedeemed(app.db, userId), standing.subscriptions);
  return {
    billing: 'on',
    source,
    plan,
    limits,
    status: subscription?.status ?? null,
    subscribedPlan: subscription?.planKey ?? null,
    trialEndsAt: (subscription?.status === 'trialing' ? subscription.trialEndsMs : null) ?? standing.trialEndsMs,
    cancelAt: subscription !== null && isLive(subscription) ? subscription.cancelsMs : null,
    nextInvoiceDate: goesOn ? subscription.periodEndsMs : null,
    nextInvoiceAmount: goesOn ? subscription.nextAmount : null,
    currency: subscription?.currency ?? null,
    graceUntil: subscription?.status === 'past_due' ? entitledUntil(subscription) : null,
    hasPortal: customerId !== null,
    discount: discount && {
      code: discount.code,
      percent: discount.percent,
      amount: discount.amount,
      currency: discount.currency,
      months: discount.months,
    },
    plans: plans.filter((one) => isForSale(one) || one.key === plan?.key),
    invoices: invoices.map(toShownInvoice),
  };
}

/**
 * The plan name of each of these users, in two statements; those who have none are left out. Null where this
 * install asks nobody for money.
 */
export async function listPlanNames(
  { config, clock, db }: Pick<App, 'config' | 'clock' | 'db'>,
  userIds: readonly UserId[],
): Promise<Map<UserId, string> | null> {
  if (!isBillingOn(config)) return null;
  const [plans, people] = await Promise.all([listPlans(db), listPeople(db, userIds, isLiveKey(config))]);
  return new Map(
    people.flatMap(({ userId, ...standing }) => {
      const { plan } = decideEntitlement({ plans, ...standing }, clock.nowMs());
      return plan === null ? [] : [[userId, plan.name] as const];
    }),
  );
}

/** For the operator: a page of everybody's invoices. *Errors*: AppError invalid (`INVALID_INPUT`). */
export async function listInvoicePage(
  { db, config }: Pick<App, 'db' | 'config'>,
  cursor: string | undefined,
): Promise<Output<typeof billingContract.listAllInvoices>> {
  const [, createdMs, id] = /^(\d{1,15})\.(\w{1,255})$/.exec(cursor ?? '') ?? [];
  if (cursor !== undefined && id === undefined)
    throw new AppError('invalid', 'INVALID_INPUT', "This isn't a valid position in the list.", {
      fields: { before: 'Not a place' },
    });
  const before = id === undefined ? null : { createdMs: Number(createdMs), id };
  const found = await listAllInvoices(db, { live: isLiveKey(config), before, limit: invoicesPerPage + 1 });
  const shown = found.slice(0, invoicesPerPage);
  const emails = await listAddresses(
    db,
    shown.map(({ userId }) => userId),
  );
  const last = shown.at(-1);
  return {
    invoices: shown.map((invoice) => ({ ...toShownInvoice(invoice), email: emails.get(invoice.userId) ?? '' })),
    next: found.length > shown.length && last !== undefined ? `${last.createdMs}.${last.id}` : null,
  };
}

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

interface BillingCounts {
  /** People by the plan that they have; `''`: none. */
  tiers: Named[];
  /** People with a subscription, by how it stands. */
  states: Named[];
  /** Monthly recurring revenue: active and overdue subscriptions, yearly ones by a twelfth. */
  monthly: Money[];
  /** Payments of the last 30 days. */
  paid: Money[];
}

/**
 * Users by plan, by the rule that decides each entitlement. Only those who ever had a subscription are read one by one;
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

/** Trial, subscriptions and invoices of a person. Cards are Stripe's alone. */
export function exportBilling({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [jsonPart('billing.json', () => listOwnBilling(db, userId))];
}
