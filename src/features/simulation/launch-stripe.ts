import { join } from 'node:path';
import type { StripeDialect } from '#emulators/stripe/stripe.ts';
import type { World } from '#emulators/stripe/world.ts';
import { keepWorld } from './keep-world.ts';
import type { SimulationApp } from './open-simulation.ts';
import { serveEmulator } from './serve-emulator.ts';

/** An account at an emulated Stripe of this process. */
export interface StripeSimulation {
  apiUrl: string;
  secretKey: string;
  webhookSecret: string;
  close(): Promise<void>;
}

/** On a loopback port, going on where it stopped, telling `/hooks/stripe` of what happens. */
export async function launchStripe(app: SimulationApp): Promise<StripeSimulation> {
  const { createStripe } = await import('#emulators/stripe/stripe.ts');
  const served = createStripe();
  const kept = await keepWorld(served, join(app.config.dataDir, 'simulated', 'stripe'), app.log);
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
