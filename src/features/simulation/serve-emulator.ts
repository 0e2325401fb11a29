import type { Control } from '#emulators/kit/control.ts';
import { type ControlClient, connectControl, type Dialect } from '#emulators/kit/control-client.ts';
import type { Served } from '#emulators/kit/drive.ts';
import { jsonReply } from '#emulators/kit/exchange.ts';
import { type Fetch, fetchInProcess } from '#emulators/kit/fetch-in-process.ts';
import { listen } from '#emulators/kit/listen.ts';
import { sendToLoopback } from '#emulators/kit/send-to-loopback.ts';
import type { KeptWorld } from './keep-world.ts';
import type { SimulationApp } from './open-simulation.ts';

export interface ServedEmulator<D extends Dialect> {
  url: string;
  /** Only for this process: over the socket the control plane is not there. */
  control: ControlClient<D>;
  fetch: Fetch;
  close(): Promise<void>;
}

const noControl: Control = {
  handle: async () => jsonReply(404, {}),
  park: (_, resume) => resume({ kind: 'reset' }),
};

/** An emulator on a port of this machine, delivering its notices by itself. Tests of the product may command it there. */
export async function serveEmulator<D extends Dialect, World>(
  { config }: Pick<SimulationApp, 'config'>,
  served: Served<World>,
  kept: KeptWorld,
): Promise<ServedEmulator<D>> {
  const { deliveries } = served.emulator;
  deliveries.sendWith(sendToLoopback);
  deliveries.setMode('auto');
  const isTest = config.environment === 'test';
  const open = isTest ? served : { emulator: served.emulator, control: noControl };
  // another program may have taken the port meanwhile
  const { url, close } = await listen(open, kept.port).catch(() => listen(open));
  kept.listensOn(Number(new URL(url).port));
  const fetch = fetchInProcess(served);
  return {
    url,
    control: connectControl<D>(url, fetch),
    fetch,
    async close() {
      deliveries.clear();
      await close();
    },
  };
}
