import type { App } from '#platform/app.ts';
import { listRunning } from './open-simulation.ts';

/** Ends what was started; what people did there is kept. */
export async function closeSimulations(app: Pick<App, 'config'>): Promise<void> {
  const running = listRunning(app);
  const ended = [...running.values()].map(async (launched) => (await launched).close());
  running.clear();
  await Promise.allSettled(ended);
}
