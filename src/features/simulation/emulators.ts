import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Control } from '#emulators/kit/control.ts';
import { type ControlClient, connectControl, type Dialect } from '#emulators/kit/control-client.ts';
import type { Served } from '#emulators/kit/drive.ts';
import { jsonReply } from '#emulators/kit/exchange.ts';
import { type Fetch, fetchInProcess } from '#emulators/kit/fetch-in-process.ts';
import { listen } from '#emulators/kit/listen.ts';
import { sendToLoopback } from '#emulators/kit/send-to-loopback.ts';
import type { App } from '#platform/app.ts';
import { mintToken } from '#platform/crypto.ts';
import type { Log } from '#platform/log.ts';

export type SimulationApp = Pick<App, 'config' | 'log' | 'clock'>;

interface ServedEmulator<D extends Dialect> {
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

/** Serves an emulator on a port of this machine. It delivers its notices itself. Tests may command it there. */
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
  const { key } = kept;
  const { url, close } = await listen(open, kept.port, { key }).catch(() => listen(open, 0, { key }));
  kept.listensOn(Number(new URL(url).port));
  const inProcess = fetchInProcess(served);
  const fetch: Fetch = (address, init) => inProcess(address.replace(`/${key}/`, '/'), init);
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

/** Changes are on disk after this time. */
const delayMs = 300;
/** The ledger of requests is for tests; a demonstration that runs for weeks keeps the last of them. */
const ledgerMost = 5_000;

interface KeptWorld {
  /** Where it listened last: links that it gave out lead there. */
  port: number;
  /** Keeps everybody else on this machine out: part of each address. */
  key: string;
  listensOn(port: number): void;
  /** Writes what is not written yet, and no more. */
  close(): Promise<void>;
}

/**
 * Stores an emulator's world in one file. The world is plain data, and the structured clone keeps shared objects shared. An
 * unreadable file is renamed, and the world starts empty.
 */
export async function storeWorld<World extends object>(
  { emulator }: Served<World>,
  path: string,
  log: Log,
): Promise<KeptWorld> {
  let port = 0;
  let key = mintToken();
  const kept = await readFile(path).catch(() => null);
  if (kept !== null) {
    try {
      const file = deserialize(kept) as { port: number; key?: string; world: World };
      emulator.world = { ...emulator.world, ...file.world };
      port = file.port;
      key = file.key ?? key;
    } catch (error) {
      log.warn({ path, err: error }, 'a simulated world could not be read and begins anew');
      await rename(path, `${path}.unreadable`);
    }
  }
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const write = async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, serialize({ port, key, world: emulator.world }), { mode: 0o600 });
    await rename(`${path}.new`, path);
  };
  const save = () => {
    timer = undefined;
    writing = writing
      .then(write)
      .catch((error: unknown) => log.error({ path, err: error }, 'a simulated world was not saved'));
  };
  const { receive } = emulator;
  emulator.receive = (request, ahead) => {
    if (request.method !== 'GET') timer ??= setTimeout(save, delayMs);
    if (emulator.ledger.length > ledgerMost) emulator.ledger.splice(0, ledgerMost / 2);
    return receive(request, ahead);
  };
  return {
    port,
    key,
    listensOn(taken) {
      port = taken;
    },
    async close() {
      emulator.receive = receive;
      clearTimeout(timer);
      save();
      await writing;
    },
  };
}
