import { join } from 'node:path';
import type { Dialect } from '#emulators/kit/control-client.ts';
import type { Served } from '#emulators/kit/drive.ts';
import { type SimulationApp, serveEmulator, storeWorld } from './emulators.ts';
import { isSimulationOn } from './simulation.ts';

export type SimulatedService = 'twilio' | 'slack' | 'hubspot';

/** An emulated service of this process that workflows send through. */
interface ServiceSimulation {
  /** Root of its API. */
  apiUrl: string;
  /** Makes an account; gives what a person would copy from there. */
  addAccount(name: string): Promise<SimulatedAccount>;
  /** Where the account sends what people answer. */
  callAt(account: string, url: string): void;
  /** Where a person sees what was sent. */
  pageOf(account: string): string;
  close(): Promise<void>;
}

interface SimulatedAccount {
  account: string;
  token: string;
  /** The number that its messages come from, or the channel that they go to. */
  place: string;
}

const running = new WeakMap<SimulationApp['config'], Map<SimulatedService, Promise<ServiceSimulation>>>();

/** The services that were started. */
export function listRunningServices({ config }: Pick<SimulationApp, 'config'>) {
  const ofApp = running.get(config) ?? new Map<SimulatedService, Promise<ServiceSimulation>>();
  running.set(config, ofApp);
  return ofApp;
}

/** The emulated service, started when first needed. Null if this process offers no simulated accounts. */
export async function openChannelSimulation(
  app: SimulationApp,
  service: SimulatedService,
): Promise<ServiceSimulation | null> {
  if (!isSimulationOn(app.config)) return null;
  const ofApp = listRunningServices(app);
  const launched = ofApp.get(service) ?? launchers[service](app);
  ofApp.set(service, launched);
  // a failure (a full disk) is not remembered
  launched.catch(() => ofApp.delete(service));
  return launched;
}

const hex = (length: number) => crypto.randomUUID().replaceAll('-', '').padEnd(length, '0').slice(0, length);
const letters = () => hex(10).toUpperCase();

const launchers: Record<SimulatedService, (app: SimulationApp) => Promise<ServiceSimulation>> = {
  async twilio(app) {
    const { createTwilio } = await import('#emulators/twilio/twilio.ts');
    const served = createTwilio();
    return launch(app, 'twilio', served, (seed) => ({
      async addAccount(name) {
        const [account, token] = [`AC${hex(32)}`, hex(32)];
        // 555 01xx belong to nobody
        const place = `+1415555${String(100 + (served.emulator.world.accounts.size % 100)).padStart(4, '0')}`;
        await seed({ sid: account, authToken: token, name, numbers: [{ number: place }] });
        return { account, token, place };
      },
      callAt(account, url) {
        for (const number of served.emulator.world.accounts.get(account)?.numbers.values() ?? []) number.smsUrl = url;
      },
    }));
  },
  async slack(app) {
    const { createSlack } = await import('#emulators/slack/slack.ts');
    const launched = await launch(app, 'slack', createSlack(), (seed) => ({
      async addAccount(name) {
        const [account, place, token] = [`T${letters()}`, `C${letters()}`, `xoxb-${hex(32)}`];
        await seed({
          workspace: account,
          name: `${name}’s team`,
          channels: [{ id: place, name: 'bookings' }],
          tokens: [{ token }],
        });
        return { account, token, place };
      },
    }));
    return { ...launched, apiUrl: `${launched.apiUrl}/api` };
  },
  async hubspot(app) {
    const { createHubspot } = await import('#emulators/hubspot/hubspot.ts');
    const served = createHubspot();
    return launch(app, 'hubspot', served, (seed) => ({
      async addAccount() {
        const portal = 1_000 + served.emulator.world.portals.size;
        const token = `pat-${hex(32)}`;
        await seed({ portal, token });
        return { account: String(portal), token, place: '' };
      },
    }));
  },
};

type Own = Pick<ServiceSimulation, 'addAccount'> & Partial<Pick<ServiceSimulation, 'callAt'>>;

/** Serves the emulator on a loopback port, with its stored world. */
async function launch<World extends object>(
  app: SimulationApp,
  service: SimulatedService,
  served: Served<World>,
  own: (seed: (command: unknown) => Promise<void>) => Own,
): Promise<ServiceSimulation> {
  const kept = await storeWorld(served, join(app.config.dataDir, 'simulated', service), app.log);
  const { url, control, close } = await serveEmulator<Dialect, World>(app, served, kept);
  return {
    apiUrl: url,
    callAt: () => undefined,
    ...own((command) => control.seed(command)),
    pageOf: (account) => `${url}/?account=${encodeURIComponent(account)}`,
    async close() {
      await close();
      await kept.close();
    },
  };
}
