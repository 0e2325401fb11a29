import Stripe from 'stripe';
import { createClock, type Clock as EmulatedClock } from '#emulators/kit/clock.ts';
import { type ControlClient, connectControl } from '#emulators/kit/control-client.ts';
import { fetchInProcess } from '#emulators/kit/fetch-in-process.ts';
import { signPayload } from '#emulators/stripe/sign.ts';
import { createStripe, type StripeDialect } from '#emulators/stripe/stripe.ts';
import { apiVersion, type StripeEvent } from '#emulators/stripe/world.ts';
import { startTestApp, type TestApp } from './test-app.ts';

const base = 'http://stripe.test';
const secretKey = 'sk_test_world';
const webhookSecret = 'whsec_0123456789abcdef';

export interface StripeWorld {
  server: TestApp;
  clock: EmulatedClock;
  control: ControlClient<StripeDialect>;
  stripe: Stripe;
  /** Brings a notice as Stripe would, or with what is said differently; gives the status of the answer. */
  tell(event: StripeEvent, how?: Telling): Promise<number>;
  /** Stripe's events about a customer, oldest first. */
  eventsOf(customer: string): Promise<StripeEvent[]>;
  /** A person pays on Stripe's page. */
  pay(url: string, card?: string): Promise<string | null>;
  advance(days: number): void;
}

export interface Telling {
  secret?: string;
  atMs?: number;
  live?: boolean;
  account?: string;
  /** Changes the body after it was signed. */
  change?: (body: string) => string;
}

/** The product with billing on, at an emulated Stripe whose notices are brought by hand. One clock for both. */
export async function openStripeWorld(): Promise<StripeWorld> {
  const clock = createClock(Temporal.Instant.from('2027-03-01T09:00:00Z').epochMilliseconds);
  const served = createStripe({ clock });
  const send = fetchInProcess(served);
  const control = connectControl<StripeDialect>(base, send);
  await control.seed({ secretKey });
  await control.knobs({ requestsPerSecond: 100_000 });
  const server = await startTestApp({
    clock: {
      now: () => Temporal.Instant.fromEpochMilliseconds(clock.now()),
      nowMs: () => clock.now(),
      monotonicMs: () => performance.now(),
    },
    apiFetch: (url, init) => send(url, init ?? {}),
    config: {
      stripe: { secretKey, webhookSecret, automaticTax: false },
      endpoints: { google: {}, microsoft: {}, twilio: {}, slack: {}, hubspot: {}, stripe: { apiUrl: base } },
    },
  });
  const stripe = new Stripe(secretKey, {
    host: 'stripe.test',
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(((url: string, init: RequestInit) =>
      send(String(url), init)) as typeof fetch),
  });
  return {
    server,
    clock,
    control,
    stripe,
    async tell(
      event,
      { secret = webhookSecret, atMs = clock.now(), live = false, account, change = (body: string) => body } = {},
    ) {
      const body = JSON.stringify({ ...event, livemode: live, api_version: apiVersion, account });
      const answer = await server.inject({
        method: 'POST',
        url: '/hooks/stripe',
        headers: { 'content-type': 'application/json', 'stripe-signature': signPayload(secret, body, atMs) },
        payload: change(body),
      });
      return answer.statusCode;
    },
    async eventsOf(customer) {
      const { events } = await control.snapshot();
      return events.filter(({ data }) => {
        const object = data.object as { id: string; customer?: string };
        return object.customer === customer || object.id === customer;
      });
    },
    async pay(url, card = '4242424242424242') {
      const session = url.split('/').at(-1)!;
      return (await control.act({ do: 'pay', session, card })).problem;
    },
    advance: (days) => clock.advance(days * 86_400_000),
  };
}
