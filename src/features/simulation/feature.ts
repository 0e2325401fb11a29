import type { App } from '#platform/app.ts';
import type { Feature } from '#platform/feature.ts';
import { listRunningProviders } from './providers.ts';
import { listRunningServices } from './services.ts';
import { removeRunningStripe } from './stripe.ts';

/**
 * Owns: emulated Google, Microsoft and others inside this process, for people who try Holdfast without an account there.
 * Announces: nothing.
 * Never: stands in the way of the real ones; connections treats its accounts as it treats theirs.
 */
export const simulation: Feature = {
  name: 'simulation',
  start: async (app) => () => closeSimulations(app),
};

/** Stops every emulator. Their worlds stay on disk. */
async function closeSimulations(app: Pick<App, 'config'>): Promise<void> {
  const all = [listRunningProviders(app), listRunningServices(app)];
  const ended = all.flatMap((running) => [...running.values()].map(async (launched) => (await launched).close()));
  for (const running of all) running.clear();
  await Promise.allSettled([...ended, removeRunningStripe(app)?.then((stripe) => stripe.close())]);
}
