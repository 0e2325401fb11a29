import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { QuirkProfile } from './quirks.ts';
import { connectRemote, type RemoteEmulator } from './remote.ts';

export interface LaunchedEmulator extends RemoteEmulator {
  pid: number;
  stop(): Promise<void>;
}

/** Starts the emulator in a process of its own, so that neither a kill -9 nor a busy loop of the client touches it. */
export async function launch(profile: QuirkProfile = 'faithful'): Promise<LaunchedEmulator> {
  const script = join(import.meta.dirname, 'serve.ts');
  const child = spawn(process.execPath, [script, '--port', '0', '--profile', profile], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the CalDAV emulator ended with ${code}`))),
  ]);
  const { url } = JSON.parse(first) as { url: string };
  return {
    ...connectRemote(url),
    pid: child.pid!,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
