import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import { type Database, jsonb, type Tx } from '#platform/db.ts';

export type IntentKind = 'checkout' | 'change' | 'cancel' | 'keep';

export async function insertIntent(
  db: Database,
  intent: { id: string; userId: UserId; kind: IntentKind; details: object },
): Promise<void> {
  await sql`
    insert into billing.intents (id, user_id, kind, details)
    values (${intent.id}, ${intent.userId}, ${intent.kind}, ${jsonb(intent.details)})`.execute(db);
}

export async function settleIntent(db: Database, id: string, outcome: string): Promise<void> {
  await sql`update billing.intents set outcome = ${outcome}, ended_at = now() where id = ${id}`.execute(db);
}

/** False for an event that we were told already. */
export async function insertEvent(tx: Tx, id: string): Promise<boolean> {
  const { rows } =
    await sql`insert into billing.events (id) values (${id}) on conflict do nothing returning id`.execute(tx);
  return rows.length > 0;
}

/** Deletes records that Stripe repeats no more. */
export async function deleteOld(db: Database): Promise<void> {
  await sql`delete from billing.events where received_at < now() - interval '30 days'`.execute(db);
  await sql`delete from billing.intents where asked_at < now() - interval '400 days'`.execute(db);
}

/** Customers of somebody who leaves, in the transaction by which they do. */
export async function insertDepartures(tx: Tx, userId: UserId): Promise<{ customerId: string; live: boolean }[]> {
  const { rows } = await sql<{ customerId: string; live: boolean }>`
    insert into billing.departures (customer_id, live)
    select id, live from billing.customers where user_id = ${userId}
    on conflict (customer_id) do update set live = excluded.live
    returning customer_id as "customerId", live`.execute(tx);
  return rows;
}

export async function insertDeparture(db: Database, customerId: string, live: boolean): Promise<void> {
  await sql`insert into billing.departures (customer_id, live) values (${customerId}, ${live}) on conflict do nothing`.execute(
    db,
  );
}

export async function listDepartures(db: Database, live: boolean): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select customer_id as id from billing.departures where live = ${live} order by asked_at limit 200`.execute(db);
  return rows.map(({ id }) => id);
}

export async function deleteDeparture(db: Database, customerId: string): Promise<void> {
  await sql`delete from billing.departures where customer_id = ${customerId}`.execute(db);
}
