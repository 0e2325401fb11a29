import { join } from 'node:path';
import type { StripeDialect } from '#emulators/stripe/stripe.ts';
import type { World } from '#emulators/stripe/world.ts';
import { type SimulationApp, serveEmulator, storeWorld } from './emulators.ts';
import { isSimulationOn } from './simulation.ts';

const running = new WeakMap<SimulationApp['config'], Promise<StripeSimulation>>();

/** The emulated Stripe, started when first needed. Null if this process has no simulated providers. */
export async function openStripeSimulation(app: SimulationApp): Promise<StripeSimulation | null> {
  if (!isSimulationOn(app.config)) return null;
  const launched = running.get(app.config) ?? launchStripe(app);
  running.set(app.config, launched);
  // a failure (a full disk) is not remembered
  launched.catch(() => running.delete(app.config));
  return launched;
}

/** Forgets and returns the Stripe that was started. */
export function removeRunningStripe({ config }: Pick<SimulationApp, 'config'>): Promise<StripeSimulation> | undefined {
  const launched = running.get(config);
  running.delete(config);
  return launched;
}

/** An account at an emulated Stripe of this process. */
interface StripeSimulation {
  apiUrl: string;
  secretKey: string;
  webhookSecret: string;
  close(): Promise<void>;
}

/** Serves Stripe on a loopback port, with its stored world and webhooks to `/hooks/stripe`. */
async function launchStripe(app: SimulationApp): Promise<StripeSimulation> {
  const { createStripe } = await import('#emulators/stripe/stripe.ts');
  const served = createStripe();
  const kept = await storeWorld(served, join(app.config.dataDir, 'simulated', 'stripe'), app.log);
  const { url, control, fetch, close } = await serveEmulator<StripeDialect, World>(app, served, kept);
  const secretKey = 'sk_test_simulated';
  await control.seed({ secretKey });
  const hook = `${app.config.publicUrl}/hooks/stripe`;
  const known = () => [...served.emulator.world.endpoints.values()].find((endpoint) => endpoint.url === hook);
  if (known() === undefined) {
    const body = new URLSearchParams({ url: hook, 'enabled_events[0]': '*' });
    await fetch(`${url}/v1/webhook_endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}` },
      body,
    });
  }
  return {
    apiUrl: url,
    secretKey,
    webhookSecret: served.emulator.world.secrets.get(known()?.id ?? '') ?? '',
    async close() {
      await close();
      await kept.close();
    },
  };
}
