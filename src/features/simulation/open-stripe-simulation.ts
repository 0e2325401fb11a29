import { isSimulationOn } from './is-simulation-on.ts';
import { launchStripe, type StripeSimulation } from './launch-stripe.ts';
import type { SimulationApp } from './open-simulation.ts';

const running = new WeakMap<SimulationApp['config'], Promise<StripeSimulation>>();

/** The emulated Stripe, started when it is first needed; null where this process has no simulated providers. */
export async function openStripeSimulation(app: SimulationApp): Promise<StripeSimulation | null> {
  if (!isSimulationOn(app.config)) return null;
  const launched = running.get(app.config) ?? launchStripe(app);
  running.set(app.config, launched);
  // a failure (a full disk) is not remembered
  launched.catch(() => running.delete(app.config));
  return launched;
}

/** The one that was started; it is not known any more. */
export function takeRunningStripe({ config }: Pick<SimulationApp, 'config'>): Promise<StripeSimulation> | undefined {
  const launched = running.get(config);
  running.delete(config);
  return launched;
}
