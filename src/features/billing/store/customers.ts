import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { Subscription } from '../rules.ts';
import type { Invoice } from './invoices.ts';

export async function findCustomerId(db: Database, userId: UserId, live: boolean): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from billing.customers where user_id = ${userId} and live = ${live}`.execute(db);
  return rows[0]?.id ?? null;
}

export async function countLost(db: Database, userId: UserId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select customers_lost as count from billing.people where user_id = ${userId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** False where its person has gone meanwhile. */
export async function insertCustomer(
  tx: Tx,
  customer: { id: string; userId: UserId; live: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    insert into billing.customers (id, user_id, live)
    select ${customer.id}, user_id, ${customer.live} from billing.people where user_id = ${customer.userId}
    on conflict (user_id, live) do update set live = excluded.live returning id`.execute(tx);
  return rows.length > 0;
}

/** Removes a customer who was deleted at Stripe. */
export async function dropCustomer(tx: Tx, id: string): Promise<void> {
  await sql`
    with gone as (delete from billing.customers where id = ${id} returning user_id)
    update billing.people set customers_lost = customers_lost + 1 where user_id in (select user_id from gone)`.execute(
    tx,
  );
}

/** Begins a reading of what Stripe has of somebody; null where we know of no such customer. */
export async function beginReading(
  db: Database,
  customerId: string,
  live: boolean,
): Promise<{ userId: UserId; reading: number } | null> {
  const { rows } = await sql<{ userId: UserId; reading: number }>`
    update billing.customers set reading = reading + 1 where id = ${customerId} and live = ${live}
    returning user_id as "userId", reading`.execute(db);
  return rows[0] ?? null;
}

/** Held until the transaction ends; false where a reading that began later was stored already. */
export async function claimKeeping(tx: Tx, customerId: string, reading: number): Promise<boolean> {
  const { rows } = await sql`
    update billing.customers set kept = ${reading}, read_at = now() where id = ${customerId} and kept < ${reading}
    returning id`.execute(tx);
  return rows.length > 0;
}

/** Replaces the stored subscriptions of a customer with the fetched ones. */
export async function replaceSubscriptions(
  tx: Tx,
  customerId: string,
  subscriptions: readonly Omit<Subscription, 'planKey'>[],
): Promise<void> {
  await sql`delete from billing.subscriptions where customer_id = ${customerId}`.execute(tx);
  await sql`
    insert into billing.subscriptions (id, customer_id, item_id, status, price_id, amount, currency, every, started_ms,
      period_ends_ms, trial_ends_ms, cancels_ms, ended_ms, unpaid_since_ms, next_amount)
    select id, ${customerId}, "itemId", status, "priceId", amount, currency, every, "startedMs", "periodEndsMs", "trialEndsMs",
      "cancelsMs", "endedMs", "unpaidSinceMs", "nextAmount"
    from json_to_recordset(${JSON.stringify(subscriptions)}::json) as given(id text, "itemId" text, status text, "priceId" text,
      amount integer, currency text, every text, "startedMs" bigint, "periodEndsMs" bigint, "trialEndsMs" bigint,
      "cancelsMs" bigint, "endedMs" bigint, "unpaidSinceMs" bigint, "nextAmount" integer)`.execute(tx);
}

/** Older ones than were fetched stay as they are. */
export async function saveInvoices(tx: Tx, customerId: string, invoices: readonly Invoice[]): Promise<void> {
  await sql`
    insert into billing.invoices (id, customer_id, number, status, total, currency, created_ms, paid_ms, next_attempt_ms,
      page_url, pdf_url)
    select id, ${customerId}, number, status, total, currency, "createdMs", "paidMs", "nextAttemptMs", "pageUrl", "pdfUrl"
    from json_to_recordset(${JSON.stringify(invoices)}::json) as given(id text, number text, status text, total integer,
      currency text, "createdMs" bigint, "paidMs" bigint, "nextAttemptMs" bigint, "pageUrl" text, "pdfUrl" text) order by id
    on conflict (id) do update set number = excluded.number, status = excluded.status, total = excluded.total,
      paid_ms = excluded.paid_ms, next_attempt_ms = excluded.next_attempt_ms, page_url = excluded.page_url,
      pdf_url = excluded.pdf_url`.execute(tx);
}

/**
 * Lists customers to refresh although no webhook came. Reasons: an expected event, an action without an outcome, an
 * opened checkout, or no recent refresh. Recent means a day, or a week without activity.
 */
export async function listDueCustomers(
  db: Database,
  { live, nowMs, limit }: { live: boolean; nowMs: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from billing.customers c
    where c.live = ${live} and (
      coalesce(c.read_at, '-infinity') < now() - interval '7 days'
      or c.read_at < now() - interval '10 minutes' and (
        exists (select from billing.subscriptions s where s.customer_id = c.id
          and s.status in ('trialing', 'active', 'past_due', 'unpaid', 'paused')
          and (c.read_at < now() - interval '1 day' or least(s.period_ends_ms, s.trial_ends_ms, s.cancels_ms) <= ${nowMs}))
        or exists (select from billing.intents i where i.user_id = c.user_id
          and (i.outcome is null and i.asked_at > now() - interval '1 day'
            or i.kind = 'checkout' and i.asked_at > now() - interval '26 hours'))))
    order by c.read_at nulls first limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
