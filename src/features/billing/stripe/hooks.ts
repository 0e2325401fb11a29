import * as z from 'zod/mini';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { RawAnswer, RawCall, RawRoute } from '#platform/raw-route.ts';
import { insertEvent } from '../store/intents.ts';
import { refreshJob } from './customers.ts';
import { openStripe } from './stripe.ts';

/** Source: Stripe, "Webhooks", verify manually: older ones may be replays. */
const toleranceSeconds = 300;
const refused: RawAnswer = { status: 400 };
const taken: RawAnswer = { status: 200 };

const notice = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(255)),
  type: z.string(),
  livemode: z.boolean(),
  /** Set for events of connected accounts. This install has none. */
  account: z.optional(z.nullable(z.string())),
  data: z.object({ object: z.looseObject({ object: z.string() }) }),
});

/**
 * Stripe's webhook. A notice only names the customer to refresh; all data is fetched. Stripe repeats refused notices,
 * so a notice is accepted once it is stored, whatever it is about.
 */
export const hooks: readonly RawRoute[] = [
  { method: 'POST', path: '/hooks/stripe', bodyLimit: 1_000_000, handle: takeNotice },
];

async function takeNotice(app: App, { headers, bytes }: RawCall): Promise<RawAnswer> {
  const access = await openStripe(app);
  const signature = headers['stripe-signature'];
  if (access === null || signature === undefined) return refused;
  let body: unknown;
  try {
    const text = Buffer.from(bytes).toString('utf8');
    const { webhooks } = access.stripe;
    body = webhooks.constructEvent(
      text,
      signature,
      access.webhookSecret,
      toleranceSeconds,
      undefined,
      app.clock.nowMs(),
    );
  } catch {
    // a sender without the secret does not learn the reason
    return refused;
  }
  const { data: event } = notice.safeParse(body);
  if (event === undefined || event.livemode !== access.live || event.account != null) return refused;
  const customerId = customerOf(event);
  await inTransaction(app.db, async (tx) => {
    if (!(await insertEvent(tx, event.id))) return;
    if (customerId !== null) await app.jobs.send(refreshJob, { customerId }, { tx, key: customerId });
  });
  return taken;
}

/** Whom it is about; null where it is about nobody. */
function customerOf({ type, data: { object } }: z.output<typeof notice>): string | null {
  if (!/^(customer|invoice|checkout\.session)\./.test(type)) return null;
  const named = object.object === 'customer' ? object.id : object.customer;
  return typeof named === 'string' && named.length <= 255 ? named : null;
}
