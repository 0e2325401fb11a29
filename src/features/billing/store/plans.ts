import { sql } from 'kysely';
import type { Database, Tx } from '#platform/db.ts';
import type { Plan } from '../rules.ts';

const planColumns = sql`p.key, p.name, p.description, p.amount, p.currency, p.every, p.features,
  json_build_object('calendars', p.calendars, 'teams', p.teams, 'workflows', p.workflows, 'historyDays', p.history_days) as limits,
  p.trial_days as "trialDays", p.trial_eligible as "trialEligible", p.active, p.most_popular as "mostPopular", p.position,
  p.revision`;

export interface PlanChange {
  name?: string | undefined;
  description?: string | undefined;
  amount?: number | undefined;
  features?: string[] | undefined;
  calendars?: number | null | undefined;
  teams?: number | null | undefined;
  workflows?: number | null | undefined;
  history_days?: number | null | undefined;
  trial_days?: number | undefined;
  trial_eligible?: boolean | undefined;
  active?: boolean | undefined;
  most_popular?: boolean | undefined;
}

/** Keys that are undefined stay. False where somebody else has changed it since. One plan at most is the most popular. */
export async function updatePlan(tx: Tx, key: string, revision: number, change: PlanChange): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('billing.plans')
    .set({ ...change, revision: sql<number>`revision + 1` })
    .where('key', '=', key)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (numUpdatedRows > 0n && change.most_popular === true)
    await tx.updateTable('billing.plans').set({ most_popular: false }).where('key', '<>', key).execute();
  return numUpdatedRows > 0n;
}

/** In the order in which they are shown. */
export async function listPlans(db: Database): Promise<Plan[]> {
  const { rows } = await sql<Plan>`select ${planColumns} from billing.plans p order by p.position, p.key`.execute(db);
  return rows;
}
