import { countBilling } from '#features/billing/public.ts';
import type { App } from '#platform/app.ts';
import { countAll } from './store/count.ts';
import { noteCounts } from './store/watched.ts';

/** Counts the whole install, and keeps it for whoever looks. */
export async function countEverything(app: Pick<App, 'config' | 'clock' | 'db'>): Promise<void> {
  const [counts, billing] = [await countAll(app.db), await countBilling(app)];
  await noteCounts(app.db, {
    ...counts,
    billing: billing && { ...billing, tiers: withRest(billing.tiers, counts.people.all) },
  });
}

/** Of somebody who was never asked what they may do, nothing is known to billing: they have no plan yet. */
function withRest(tiers: readonly { name: string; people: number }[], all: number): { name: string; people: number }[] {
  const known = tiers.reduce((sum, { people }) => sum + people, 0);
  const none = tiers.find(({ name }) => name === '')?.people ?? 0;
  const rest = Math.max(0, all - known) + none;
  return [...tiers.filter(({ name }) => name !== ''), ...(rest > 0 ? [{ name: '', people: rest }] : [])];
}
