import { findEntitlement, isBillingOn } from '#features/billing/public.ts';
import { findOwnerId } from '#features/teams/public.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';

/** How far back figures go with a plan, in days before today, and the plan's name; null: as far as anything was recorded. */
export async function findHistory(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  { userId, teamId }: { userId: UserId; teamId: TeamId | null },
): Promise<{ days: number; plan: string | null } | null> {
  if (!isBillingOn(app.config)) return null;
  // a team's is that of its owner
  const payer = teamId === null ? userId : await findOwnerId(app.db, teamId);
  if (payer === null) return null;
  const { plan, limits } = await findEntitlement(app, app.db, payer);
  return limits.historyDays === null ? null : { days: limits.historyDays, plan: plan?.name ?? null };
}
