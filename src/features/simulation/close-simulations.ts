import type { App } from '#platform/app.ts';
import { listRunningServices } from './open-channel-simulation.ts';
import { listRunning } from './open-simulation.ts';
import { takeRunningStripe } from './open-stripe-simulation.ts';

/** Ends what was started; what people did there is kept. */
export async function closeSimulations(app: Pick<App, 'config'>): Promise<void> {
  const all = [listRunning(app), listRunningServices(app)];
  const ended = all.flatMap((running) => [...running.values()].map(async (launched) => (await launched).close()));
  for (const running of all) running.clear();
  await Promise.allSettled([...ended, takeRunningStripe(app)?.then((stripe) => stripe.close())]);
}
