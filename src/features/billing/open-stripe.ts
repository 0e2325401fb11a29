import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import { openStripeSimulation } from '#features/simulation/public.ts';
import type { App } from '#platform/app.ts';
import { isLiveKey } from './is-billing-on.ts';

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
  const { hostname, port, protocol } = new URL(address ?? 'https://api.stripe.com');
  // most installs take no money: its library is read where one does
  const { default: Library } = await import('stripe');
  const stripe = new Library(secretKey, {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port === '' ? {} : { port: Number(port) }),
    maxNetworkRetries: 2,
    timeout: timeoutMs,
    telemetry: false,
    httpClient: Library.createFetchHttpClient(withPatience(app.apiFetch) as typeof fetch),
  });
  return { stripe, webhookSecret, automaticTax: config.stripe.automaticTax, live: isLiveKey(config) };
}
