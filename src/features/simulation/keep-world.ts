import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Served } from '#emulators/kit/drive.ts';
import type { Log } from '#platform/log.ts';

/** What a person did is on disk so soon after. */
const delayMs = 300;
/** The ledger of requests is for tests; a demonstration that runs for weeks keeps the last of them. */
const ledgerMost = 5_000;

export interface KeptWorld {
  /** Where it listened last: links that it gave out lead there. */
  port: number;
  listensOn(port: number): void;
  /** Writes what is not written yet, and no more. */
  close(): Promise<void>;
}

/**
 * An emulator's world goes on where it stopped, in one file: it is plain data, and the structured clone keeps what is
 * shared in it shared. A file that cannot be read is put aside and the world begins anew.
 */
export async function keepWorld<World extends object>(
  { emulator }: Served<World>,
  path: string,
  log: Log,
): Promise<KeptWorld> {
  let port = 0;
  const kept = await readFile(path).catch(() => null);
  if (kept !== null) {
    try {
      const file = deserialize(kept) as { port: number; world: World };
      emulator.world = { ...emulator.world, ...file.world };
      port = file.port;
    } catch (error) {
      log.warn({ path, err: error }, 'a simulated world could not be read and begins anew');
      await rename(path, `${path}.unreadable`);
    }
  }
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const write = async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, serialize({ port, world: emulator.world }), { mode: 0o600 });
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
