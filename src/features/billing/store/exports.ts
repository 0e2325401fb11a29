import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';

/** Null for somebody of whom nobody has asked. */
export async function listOwnBilling(db: Database, userId: UserId): Promise<unknown> {
  const { rows } = await sql<{ row: unknown }>`
    select json_build_object(
      'trialEndsAt', to_timestamp(p.trial_ends_ms / 1000.0),
      'customers', (select json_agg(json_build_object('id', c.id, 'subscriptions',
          (select json_agg(to_jsonb(s) - 'customer_id') from billing.subscriptions s where s.customer_id = c.id),
          'invoices', (select json_agg(to_jsonb(i) - 'customer_id' order by i.created_ms) from billing.invoices i
            where i.customer_id = c.id))) from billing.customers c where c.user_id = p.user_id),
      'codes', (select json_agg(json_build_object('code', c.code, 'at', to_timestamp(r.redeemed_ms / 1000.0)) order by r.redeemed_ms)
        from billing.redemptions r join billing.codes c on c.id = r.code_id where r.user_id = p.user_id),
      'asked', (select json_agg(json_build_object('kind', i.kind, 'details', i.details, 'at', i.asked_at, 'outcome', i.outcome)
        order by i.asked_at) from billing.intents i where i.user_id = p.user_id)) as "row"
    from billing.people p where p.user_id = ${userId}`.execute(db);
  return rows[0]?.row ?? null;
}
