import { type Clock, createClock } from '#emulators/kit/clock.ts';
import { type Commands, createControl } from '#emulators/kit/control.ts';
import { type ControlClient, connectControl } from '#emulators/kit/control-client.ts';
import type { DeliveryMode, Send } from '#emulators/kit/deliveries.ts';
import type { Served } from '#emulators/kit/drive.ts';
import { createEmulator, type Emulator } from '#emulators/kit/emulator.ts';
import { type Fetch, fetchInProcess } from '#emulators/kit/fetch-in-process.ts';
import { listen } from '#emulators/kit/listen.ts';
import { sendToLoopback } from '#emulators/kit/send-to-loopback.ts';
import { createSigningKey } from '#emulators/kit/sign-id-token.ts';
import { type ActCommand, type Acted, act } from './act.ts';
import { createMachine, inProcessOrigin } from './emulator.ts';
import { type SeedCommand, seedMailbox } from './seed-command.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import type { Knobs, World } from './world.ts';

export interface MicrosoftDialect {
  seed: SeedCommand;
  act: ActCommand;
  acted: Acted;
  snapshot: Snapshot;
  knobs: Knobs;
}

/** Microsoft's documented addresses, for a configured client. */
export interface MicrosoftUrls {
  /** `{authority}/oauth2/v2.0/authorize`, `{authority}/oauth2/v2.0/token`. */
  authority: string;
  /** Root of Graph v1.0. */
  graphBase: string;
  jwks: string;
  /** As it stands in a token, with the tenant in braces. */
  issuer: string;
  userInfo: string;
}

export interface MicrosoftEmulator {
  baseUrl: string;
  urls: MicrosoftUrls;
  control: ControlClient<MicrosoftDialect>;
  emulator: Emulator<World>;
  /** `fetch`, or what stands for it where there is no socket. */
  fetch: Fetch;
  close(): Promise<void>;
}

export interface MicrosoftOptions {
  clock?: Clock;
  deliveries?: DeliveryMode;
  /** Set now, and again after every reset. */
  knobs?: Partial<Knobs>;
  /** Carries notifications out; default: to this machine only. */
  send?: Send;
}

export function serveMicrosoft({
  clock = createClock(),
  deliveries = 'auto',
  send = sendToLoopback,
  knobs,
}: MicrosoftOptions): Served<World> {
  const emulator = createEmulator(createMachine(createSigningKey(), clock.now, knobs), clock);
  emulator.deliveries.sendWith(send);
  emulator.deliveries.setMode(deliveries);
  return { emulator, control: createControl(emulator, commandsFor(emulator)) };
}

/** On loopback, on a port of its own or the given one. */
export async function launchMicrosoft(options: MicrosoftOptions & { port?: number } = {}): Promise<MicrosoftEmulator> {
  const served = serveMicrosoft(options);
  const { url, close } = await listen(served, options.port);
  return {
    baseUrl: url,
    urls: microsoftUrls(url),
    control: connectControl(url),
    emulator: served.emulator,
    fetch,
    async close() {
      served.emulator.deliveries.clear();
      await close();
    },
  };
}

/** In the process of the caller, without a socket. */
export function embedMicrosoft(options: MicrosoftOptions = {}): MicrosoftEmulator {
  const served = serveMicrosoft({ deliveries: 'held', ...options });
  const send = fetchInProcess(served);
  return {
    baseUrl: inProcessOrigin,
    urls: microsoftUrls(inProcessOrigin),
    control: connectControl(inProcessOrigin, send),
    emulator: served.emulator,
    fetch: send,
    close: async () => served.emulator.deliveries.clear(),
  };
}

export function microsoftUrls(origin: string): MicrosoftUrls {
  return {
    authority: `${origin}/common`,
    graphBase: `${origin}/v1.0`,
    jwks: `${origin}/common/discovery/v2.0/keys`,
    issuer: `${origin}/{tenantid}/v2.0`,
    userInfo: `${origin}/oidc/userinfo`,
  };
}

function commandsFor(emulator: Emulator<World>): Commands {
  return {
    seed(given) {
      const command = given as SeedCommand;
      for (const app of command.apps ?? []) emulator.world.directory.apps.set(app.clientId, app);
      if (command.account === undefined) return {};
      const mailbox = seedMailbox(emulator.world, command, emulator.clock.now());
      // seeded events cause no notifications
      emulator.world.unannounced = [];
      return { account: mailbox.address, userId: mailbox.userId, tenantId: mailbox.tenantId };
    },
    act: (given) =>
      act(emulator.world, given as ActCommand, { nowMs: emulator.clock.now(), deliveries: emulator.deliveries }),
    snapshot: () => snapshotOf(emulator.world),
    knobs: (changes) => Object.assign(emulator.world.knobs, changes),
  };
}
