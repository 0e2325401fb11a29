import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type LaunchedEmulator, launch } from '#emulators/caldav/launch.ts';
import type { GoogleDialect } from '#emulators/google/google.ts';
import type { GoogleEndpoints } from '#emulators/google/launch.ts';
import { type ControlClient, connectControl } from '#emulators/kit/control-client.ts';
import type { MicrosoftDialect, MicrosoftUrls } from '#emulators/microsoft/launch.ts';

/** The three emulators, each in a process of its own, so that what they cost is not the product's. */
export interface MeshEmulators {
  google: { url: string; endpoints: GoogleEndpoints; control: ControlClient<GoogleDialect> };
  microsoft: { url: string; urls: MicrosoftUrls; control: ControlClient<MicrosoftDialect> };
  caldav: LaunchedEmulator;
  /** Milliseconds that the wire adds to each request. */
  setLatency(ms: number): Promise<void>;
  clearLedgers(): Promise<void>;
  stop(): Promise<void>;
}

export async function launchMeshEmulators(): Promise<MeshEmulators> {
  const [google, microsoft, caldav] = await Promise.all([
    serve<GoogleEndpoints>('google'),
    serve<MicrosoftUrls>('microsoft'),
    launch(),
  ]);
  const controls = {
    google: connectControl<GoogleDialect>(google.said.url),
    microsoft: connectControl<MicrosoftDialect>(microsoft.said.url),
  };
  const all = [controls.google, controls.microsoft, caldav];
  return {
    google: { url: google.said.url, endpoints: google.said, control: controls.google },
    microsoft: { url: microsoft.said.url, urls: microsoft.said, control: controls.microsoft },
    caldav,
    setLatency: async (ms) => void (await Promise.all(all.map((one) => one.setLatency(ms)))),
    clearLedgers: async () => void (await Promise.all(all.map((one) => one.clearLedger()))),
    stop: async () => void (await Promise.all([google.stop(), microsoft.stop(), caldav.stop()])),
  };
}

async function serve<Said>(provider: 'google' | 'microsoft') {
  const script = join(import.meta.dirname, '..', 'src', 'emulators', provider, 'serve.ts');
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the emulated ${provider} ended with ${code}`))),
  ]);
  return {
    said: JSON.parse(first) as Said & { url: string },
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
