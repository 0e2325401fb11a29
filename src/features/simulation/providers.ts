import { join } from 'node:path';
import type { App } from '#platform/app.ts';
import type { Config } from '#platform/config.ts';
import { type SimulationApp, serveEmulator, storeWorld } from './emulators.ts';
import { isSimulationOn } from './simulation.ts';

type SimulatedProvider = 'google' | 'microsoft';

/** An emulated provider of this process. */
interface Simulation {
  /** Addresses by name, as the operator would configure them. */
  endpoints: Readonly<Record<string, string>>;
  clientId: string;
  clientSecret: string;
  /** Makes an account with a week of events, in its person's zone; gives its address. */
  addAccount(person: { name: string; zone: string }): Promise<string>;
  /** Makes one where there is none yet, so that there is somebody to sign in as. */
  ensureAccount(person: { name: string; zone: string }): Promise<void>;
  /** Consents as a user would. Returns the query of the redirect. */
  consent(authorizationUrl: string, account: string): Promise<URLSearchParams>;
  /** Where a person sees the account and edits it. */
  pageOf(account: string): string;
  close(): Promise<void>;
}

const running = new WeakMap<App['config'], Map<SimulatedProvider, Promise<Simulation>>>();
const launchers = { google: launchGoogle, microsoft: launchMicrosoft };

/** The emulated provider, started when first needed. Null if this process offers no simulated accounts. */
export async function openSimulation(app: SimulationApp, provider: SimulatedProvider): Promise<Simulation | null> {
  if (!isSimulationOn(app.config)) return null;
  const ofApp = listRunningProviders(app);
  const launched = ofApp.get(provider) ?? launchers[provider](app);
  ofApp.set(provider, launched);
  // a failure (a full disk) is not remembered
  launched.catch(() => ofApp.delete(provider));
  return launched;
}

/** The providers that were started. */
export function listRunningProviders({ config }: Pick<App, 'config'>): Map<SimulatedProvider, Promise<Simulation>> {
  const ofApp = running.get(config) ?? new Map<SimulatedProvider, Promise<Simulation>>();
  running.set(config, ofApp);
  return ofApp;
}

/** An emulated Google on a loopback port, with its stored world. */
async function launchGoogle(app: SimulationApp): Promise<Simulation> {
  const [{ createGoogle }, { endpointsAt }] = await Promise.all([
    import('#emulators/google/google.ts'),
    import('#emulators/google/launch.ts'),
  ]);
  const served = createGoogle();
  const kept = await storeWorld(served, join(app.config.dataDir, 'simulated', 'google'), app.log);
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

/** An emulated Microsoft on a loopback port, with its stored world. */
async function launchMicrosoft(app: SimulationApp): Promise<Simulation> {
  const { serveMicrosoft } = await import('#emulators/microsoft/launch.ts');
  const served = serveMicrosoft({});
  const kept = await storeWorld(served, join(app.config.dataDir, 'simulated', 'microsoft'), app.log);
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

/** An address for a simulated account of this person: `dana@gmail.example`, with a number where it is taken. */
function addressFor(name: string, domain: string, isTaken: (address: string) => boolean): string {
  const local = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/@.*/s, '')
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.|\.$/g, '')
    .slice(0, 40);
  for (let n = 1; ; n += 1) {
    const address = `${local === '' ? 'you' : local}${n === 1 ? '' : `.${n}`}@${domain}`;
    if (!isTaken(address)) return address;
  }
}

/** Where an emulated provider sends browsers back to: from connecting a calendar, and from signing in. */
function listRedirectUris({ publicUrl }: Pick<Config, 'publicUrl'>, provider: 'google' | 'microsoft'): string[] {
  return [`${publicUrl}/provider/${provider}/callback`, `${publicUrl}/auth/oauth/${provider}/callback`];
}
