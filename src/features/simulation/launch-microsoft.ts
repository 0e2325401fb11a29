import { join } from 'node:path';
import { addressFor } from './address-for.ts';
import { keepWorld } from './keep-world.ts';
import { listRedirectUris } from './list-redirect-uris.ts';
import type { Simulation, SimulationApp } from './open-simulation.ts';
import { serveEmulator } from './serve-emulator.ts';

/** An emulated Microsoft on a loopback port, going on where it stopped. */
export async function launchMicrosoft(app: SimulationApp): Promise<Simulation> {
  const { serveMicrosoft } = await import('#emulators/microsoft/launch.ts');
  const served = serveMicrosoft({});
  const kept = await keepWorld(served, join(app.config.dataDir, 'simulated', 'microsoft'), app.log);
  const { url, control, fetch, close } = await serveEmulator(app, served, kept);
  const clientId = '5f0c6c1e-0f0a-4a58-9c2b-9d1a5a1f0d11';
  const clientSecret = 'emulated-secret';
  const redirectUris = listRedirectUris(app.config, 'microsoft');
  await control.seed({ apps: [{ clientId, secret: clientSecret, redirectUris }] });
  return {
    endpoints: { apiUrl: `${url}/v1.0`, loginUrl: url },
    clientId,
    clientSecret,
    async addAccount({ name, zone }) {
      const account = addressFor(name, 'contoso.example', (address) => served.emulator.world.mailboxes.has(address));
      await control.seed({ account, name, timeZone: zone, demo: true });
      return account;
    },
    async ensureAccount({ name, zone }) {
      const { mailboxes } = served.emulator.world;
      if (mailboxes.size > 0) return;
      // a personal one: of a work account Microsoft does not say whether its address is its own
      const account = addressFor(name, 'outlook.example', (address) => mailboxes.has(address));
      await control.seed({ account, name, personal: true, timeZone: zone });
      await control.seed({ account, name, timeZone: zone, demo: true });
    },
    async consent(authorizationUrl, account) {
      const form = new URLSearchParams({ account, decision: 'allow' });
      const answer = await fetch(authorizationUrl, { method: 'POST', body: form });
      return new URL(answer.headers.get('location') ?? '').searchParams;
    },
    pageOf: (account) => `${url}/?account=${encodeURIComponent(account)}`,
    async close() {
      await close();
      await kept.close();
    },
  };
}
