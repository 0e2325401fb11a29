import { loadOwner } from '#features/accounts/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { StripeAccess } from './open-stripe.ts';
import { countLost, findCustomerId, insertCustomer } from './store/customers.ts';
import { insertDeparture } from './store/intents.ts';

/** What Stripe knows somebody as, made when it is first needed, and once: the same question has the same answer there. */
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
