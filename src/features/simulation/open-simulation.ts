import type { App } from '#platform/app.ts';
import { isSimulationOn } from './is-simulation-on.ts';
import { launchGoogle } from './launch-google.ts';
import { launchMicrosoft } from './launch-microsoft.ts';

export type SimulatedProvider = 'google' | 'microsoft';

/** An emulated provider of this process. */
export interface Simulation {
  /** Addresses by name, as the operator would configure them. */
  endpoints: Readonly<Record<string, string>>;
  clientId: string;
  clientSecret: string;
  /** Makes an account with a week of events, in its person's zone; gives its address. */
  addAccount(person: { name: string; zone: string }): Promise<string>;
  /** Makes one where there is none yet, so that there is somebody to sign in as. */
  ensureAccount(person: { name: string; zone: string }): Promise<void>;
  /** What a person does at the page of consent; gives what their browser brings back. */
  consent(authorizationUrl: string, account: string): Promise<URLSearchParams>;
  /** Where a person sees the account and edits it. */
  pageOf(account: string): string;
  close(): Promise<void>;
}

export type SimulationApp = Pick<App, 'config' | 'log' | 'clock'>;

const running = new WeakMap<App['config'], Map<SimulatedProvider, Promise<Simulation>>>();
const launchers = { google: launchGoogle, microsoft: launchMicrosoft };

/** The emulated provider, started when it is first needed; null where people may not connect simulated accounts. */
export async function openSimulation(app: SimulationApp, provider: SimulatedProvider): Promise<Simulation | null> {
  if (!isSimulationOn(app.config)) return null;
  const ofApp = listRunning(app);
  const launched = ofApp.get(provider) ?? launchers[provider](app);
  ofApp.set(provider, launched);
  // a failure (a full disk) is not remembered
  launched.catch(() => ofApp.delete(provider));
  return launched;
}

/** Those that have been started. */
export function listRunning({ config }: Pick<App, 'config'>): Map<SimulatedProvider, Promise<Simulation>> {
  const ofApp = running.get(config) ?? new Map<SimulatedProvider, Promise<Simulation>>();
  running.set(config, ofApp);
  return ofApp;
}
