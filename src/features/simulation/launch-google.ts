import { join } from 'node:path';
import { addressFor } from './address-for.ts';
import { keepWorld } from './keep-world.ts';
import { listRedirectUris } from './list-redirect-uris.ts';
import type { Simulation, SimulationApp } from './open-simulation.ts';
import { serveEmulator } from './serve-emulator.ts';

/** An emulated Google on a loopback port, going on where it stopped. */
export async function launchGoogle(app: SimulationApp): Promise<Simulation> {
  const [{ createGoogle }, { endpointsAt }] = await Promise.all([
    import('#emulators/google/google.ts'),
    import('#emulators/google/launch.ts'),
  ]);
  const served = createGoogle();
  const kept = await keepWorld(served, join(app.config.dataDir, 'simulated', 'google'), app.log);
  const { url, control, fetch, close } = await serveEmulator(app, served, kept);
  const clientId = 'holdfast.apps.emulated';
  const clientSecret = 'emulated-secret';
  const redirectUris = listRedirectUris(app.config, 'google');
  await control.knobs({ clients: { [clientId]: { secret: clientSecret, redirectUris } } });
  const { authorizeUrl, tokenUrl, revokeUrl, jwksUrl, issuer } = endpointsAt(url, clientId, clientSecret);
  const simulation: Simulation = {
    endpoints: { apiUrl: url, authorizeUrl, tokenUrl, revokeUrl, jwksUrl, issuer },
    clientId,
    clientSecret,
    async addAccount({ name, zone }) {
      const account = addressFor(name, 'gmail.example', (address) => served.emulator.world.users.has(address));
      await control.seed({ account, name, timeZone: zone, demo: true });
      return account;
    },
    async ensureAccount(person) {
      if (served.emulator.world.users.size === 0) await simulation.addAccount(person);
    },
    async consent(authorizationUrl, account) {
      const form = new URLSearchParams({ account, decision: 'allow' });
      const asked = new URL(authorizationUrl).searchParams.get('scope') ?? '';
      for (const scope of asked.split(' ')) form.append('scope', scope);
      const answer = await fetch(authorizationUrl, { method: 'POST', body: form });
      return new URL(answer.headers.get('location') ?? '').searchParams;
    },
    pageOf: (account) => `${url}/?account=${encodeURIComponent(account)}`,
    async close() {
      await close();
      await kept.close();
    },
  };
  return simulation;
}
