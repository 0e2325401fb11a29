import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { largePrograms, packagesOfLarge, whyMissingLarge } from '../test/harness/large-caldav-servers.ts';
import { enter, inside, killAll, makeInstallation, whyNoInstallation } from './install/minimal-debian.ts';

/**
 * `npm run test:servers`: the CalDAV suite against real DAViCal, SOGo, and Cyrus, which the operator installs.
 * `--release=trixie` runs it on the servers of that Debian, in a minimal installation: it needs root and debootstrap, and
 * installs nothing on this machine. `--dir=<directory>` keeps the minimal installation there for the next run.
 */

const repository = join(import.meta.dirname, '..');
const { values: options } = parseArgs({ options: { release: { type: 'string' }, dir: { type: 'string' } } });

if (options.release === undefined) runHere();
else process.exit(await runOn(options.release));

function runHere(): void {
  const missing = largePrograms.flatMap((program) => whyMissingLarge(program) ?? []);
  for (const reason of missing) console.error(reason);
  // Nothing ran is not the same as nothing failed.
  if (missing.length === largePrograms.length) process.exit(1);

  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'vitest.servers.config.ts'], {
    cwd: repository,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

async function runOn(release: string): Promise<number> {
  const reason = whyNoInstallation();
  if (reason !== null) {
    console.error(reason);
    return 1;
  }
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-servers-'));
  const stop = async () => {
    await killAll();
    rmSync(dir, { recursive: true, force: true });
    process.exit(130);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(name, () => void stop());
  try {
    const installation = makeInstallation(release, dir, options.dir);
    // packages start no service
    writeFileSync(join(installation.root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    cpSync(process.execPath, join(installation.root, 'usr/local/bin/node'));
    const packages = `libatomic1 radicale xandikos ${packagesOfLarge}`;
    const asRoot = { user: 'root' } as const;
    await inside(installation, `apt-get update; apt-get install -y --no-install-recommends ${packages}`, asRoot);
    const versions = 'radicale xandikos davical sogo cyrus-imapd';
    console.log(await inside(installation, `dpkg-query -W ${versions}`, asRoot));
    const shares = { '/holdfast': repository };
    const child = enter(installation, 'cd /holdfast; node scripts/test-servers.ts', { ...asRoot, shares });
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(process.stdout, { end: false });
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}
