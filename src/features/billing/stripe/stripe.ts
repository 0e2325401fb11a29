import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import { loadOwner } from '#features/accounts/public.ts';
import { openStripeSimulation } from '#features/simulation/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { isLiveKey } from '../billing.ts';
import type { Discount, Plan } from '../rules.ts';
import { countLost, findCustomerId, insertCustomer } from '../store/customers.ts';
import { insertDeparture } from '../store/intents.ts';
import { findPriceId, insertPrice } from '../store/prices.ts';

/** Our account at Stripe. */
export interface StripeAccess {
  stripe: Stripe;
  webhookSecret: string;
  automaticTax: boolean;
  /** Real money: what was made with a key for tests is nothing then. */
  live: boolean;
}

/** Between one request that came too soon and the same again, each time twice as long. */
const patienceMs = [400, 800, 1_600];

/**
 * Stripe counts requests by the second, and has done nothing where it answers 429. Its library takes that for final
 * (https://docs.stripe.com/rate-limits asks for waiting).
 */
function withPatience(ask: App['apiFetch']): App['apiFetch'] {
  return async (url, init) => {
    for (const waitMs of patienceMs) {
      const answer = await ask(url, init);
      if (answer.status !== 429) return answer;
      await answer.body?.cancel();
      await sleep(waitMs * (0.5 + Math.random() / 2), undefined, init?.signal ? { signal: init.signal } : {});
    }
    return ask(url, init);
  };
}

/** Its library knows a host and a port. The path of an address, as of a simulated Stripe, comes before its own. */
function belowPath(base: string, ask: App['apiFetch']): App['apiFetch'] {
  return (url, init) => {
    const address = new URL(url);
    address.pathname = `${base}${address.pathname}`;
    return ask(address.href, init);
  };
}

type StripeApp = Pick<App, 'config' | 'log' | 'clock' | 'apiFetch'>;

const opened = new WeakMap<App['config'], Promise<StripeAccess | null>>();
/** A person is waiting. */
const timeoutMs = 20_000;

/** Null where billing is off. */
export function openStripe(app: StripeApp): Promise<StripeAccess | null> {
  const known = opened.get(app.config) ?? open(app);
  opened.set(app.config, known);
  known.catch(() => opened.delete(app.config));
  return known;
}

async function open(app: StripeApp): Promise<StripeAccess | null> {
  const { config } = app;
  if (config.stripe === undefined) return null;
  const isSimulated = config.stripe.secretKey === 'simulated';
  const simulation = isSimulated ? await openStripeSimulation(app) : null;
  if (isSimulated && simulation === null) return null;
  const { secretKey, webhookSecret } = simulation ?? config.stripe;
  const address = simulation?.apiUrl ?? config.endpoints.stripe.apiUrl;
  const { hostname, port, protocol, pathname } = new URL(address ?? 'https://api.stripe.com');
  const ask = belowPath(pathname.replace(/\/$/, ''), withPatience(app.apiFetch));
  // most installs take no money: its library is read where one does
  const { default: Library } = await import('stripe');
  const stripe = new Library(secretKey, {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port === '' ? {} : { port: Number(port) }),
    maxNetworkRetries: 2,
    timeout: timeoutMs,
    telemetry: false,
    httpClient: Library.createFetchHttpClient(ask as typeof fetch),
  });
  return { stripe, webhookSecret, automaticTax: config.stripe.automaticTax, live: isLiveKey(config) };
}

/**
 * Does something at Stripe that a person waits for. Never within a transaction.
 *
 * *Errors*: AppError conflict (BILLING_OFF, CARD_DECLINED), unavailable.
 */
export async function callStripe<T>(app: StripeApp, act: (access: StripeAccess) => Promise<T>): Promise<T> {
  const access = await openStripe(app);
  if (access === null)
    throw new AppError('conflict', 'BILLING_OFF', "Everything is already included. There's nothing to pay.");
  try {
    return await act(access);
  } catch (error) {
    if (!isOfStripe(error)) throw error;
    if (error.type === 'StripeCardError')
      throw new AppError('conflict', 'CARD_DECLINED', `${error.message} Nothing was changed.`, { cause: error });
    const isOurs =
      error.type === 'StripeConnectionError' || error.type === 'StripeAPIError' || error.statusCode === 429;
    app.log[isOurs ? 'warn' : 'error']({ err: error, code: error.code }, 'Stripe did not do what it was asked for');
    const why = isOurs
      ? "Stripe, our payment provider, isn't responding. Your plan is unchanged. Try again in a minute."
      : 'Stripe, our payment provider, refused the request. Your plan is unchanged. Ask your administrator to check the log.';
    throw new AppError('unavailable', 'UNAVAILABLE', why, { cause: error });
  }
}

/** Whether Stripe says that there is no such thing (any more). */
export const isMissing = (error: unknown) =>
  isOfStripe(error) && (error.code === 'resource_missing' || error.statusCode === 404);

/** By what every error of its library has: the class would have to be read with all of the library. */
const isOfStripe = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Error && 'type' in error && 'rawType' in error;

/** The Stripe customer of a user. Created when first needed, with an idempotency key. */
export async function ensureCustomer(app: Pick<App, 'db'>, access: StripeAccess, userId: UserId): Promise<string> {
  const { stripe, live } = access;
  const known = await findCustomerId(app.db, userId, live);
  if (known !== null) return known;
  const [{ email, name }, lost] = await Promise.all([loadOwner(app.db, userId), countLost(app.db, userId)]);
  const { id } = await stripe.customers.create(
    { email, name, metadata: { holdfast_account: userId } },
    { idempotencyKey: `holdfast-customer-${userId}-${lost}` },
  );
  const isKept = await inTransaction(app.db, (tx) => insertCustomer(tx, { id, userId, live }));
  if (!isKept) await insertDeparture(app.db, id, live);
  return (await findCustomerId(app.db, userId, live)) ?? id;
}

/** The price of a plan as it is now, made at Stripe when somebody first takes it. */
export async function ensurePrice(
  { db }: Pick<App, 'db'>,
  { stripe, live }: StripeAccess,
  plan: Plan,
): Promise<string> {
  const known = await findPriceId(db, plan, live);
  if (known !== null) return known;
  const { key, name, amount, currency, every } = plan;
  const { id: product } = await stripe.products.create(
    { name, metadata: { holdfast_plan: key } },
    { idempotencyKey: `holdfast-product-${key}-${encodeURIComponent(name)}` },
  );
  const { id } = await stripe.prices.create(
    { product, currency, unit_amount: amount, recurring: { interval: every }, metadata: { holdfast_plan: key } },
    { idempotencyKey: `holdfast-price-${product}-${amount}-${currency}-${every}` },
  );
  await insertPrice(db, id, plan, live);
  return (await findPriceId(db, plan, live)) ?? id;
}

/** The Stripe coupon of a code. Created at its first payment, under an id of ours, so that it is created once. */
export async function ensureCoupon({ stripe }: Pick<StripeAccess, 'stripe'>, discount: Discount): Promise<string> {
  const { codeId, code, percent, amount, currency, months } = discount;
  const id = `holdfast_${codeId.replaceAll('-', '')}`;
  const duration = months === null ? 'forever' : months === 1 ? 'once' : 'repeating';
  await stripe.coupons
    .create({
      id,
      name: code,
      duration,
      ...(duration === 'repeating' && months !== null ? { duration_in_months: months } : {}),
      ...(percent !== null ? { percent_off: percent } : {}),
      ...(amount !== null && currency !== null ? { amount_off: amount, currency } : {}),
    })
    .catch((error: unknown) => {
      if ((error as { code?: string }).code !== 'resource_already_exists') throw error;
    });
  return id;
}
