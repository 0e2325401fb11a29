import { sql } from 'kysely';
import type { Database } from '#platform/db.ts';
import type { Plan } from '../rules.ts';

type Price = Pick<Plan, 'key' | 'amount' | 'currency' | 'every'>;

export async function findPriceId(db: Database, { key, amount, currency, every }: Price, live: boolean) {
  const { rows } = await sql<{ id: string }>`
    select id from billing.prices where plan_key = ${key} and live = ${live} and amount = ${amount} and currency = ${currency}
      and every = ${every}`.execute(db);
  return rows[0]?.id ?? null;
}

export async function insertPrice(
  db: Database,
  id: string,
  { key, amount, currency, every }: Price,
  live: boolean,
): Promise<void> {
  await sql`
    insert into billing.prices (id, plan_key, live, amount, currency, every)
    values (${id}, ${key}, ${live}, ${amount}, ${currency}, ${every}) on conflict do nothing`.execute(db);
}

export async function findPortal(db: Database, live: boolean): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select configuration_id as id from billing.portals where live = ${live}`.execute(db);
  return rows[0]?.id ?? null;
}

export async function savePortal(db: Database, live: boolean, id: string): Promise<void> {
  await sql`
    insert into billing.portals (live, configuration_id) values (${live}, ${id})
    on conflict (live) do update set configuration_id = excluded.configuration_id`.execute(db);
}
