import { sql } from 'kysely';
import type { Database } from '#platform/db.ts';
import type { Plan } from '../rules/plans.ts';

const planColumns = sql`p.key, p.name, p.description, p.amount, p.currency, p.every, p.features,
  json_build_object('calendars', p.calendars, 'teams', p.teams, 'workflows', p.workflows, 'historyDays', p.history_days) as limits,
  p.trial_days as "trialDays", p.trial_eligible as "trialEligible", p.active, p.most_popular as "mostPopular", p.position,
  p.revision`;

/** In the order in which they are shown. */
export async function listPlans(db: Database): Promise<Plan[]> {
  const { rows } = await sql<Plan>`select ${planColumns} from billing.plans p order by p.position, p.key`.execute(db);
  return rows;
}
