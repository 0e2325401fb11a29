import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import type { billingContract } from './contract.ts';
import { demandPerson } from './demand-person.ts';
import { loadStanding } from './load-standing.ts';

/** *Errors*: as `demandPerson`. */
export async function findTrialOf(
  app: Pick<App, 'db' | 'config' | 'clock'>,
  typed: string,
): Promise<Output<typeof billingContract.findTrial>> {
  const { id, email } = await demandPerson(app, typed);
  return { email, ends_at: (await loadStanding(app, app.db, id)).trialEndsMs };
}
