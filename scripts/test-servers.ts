import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { largePrograms, whyMissingLarge } from '../test/harness/large-caldav-servers.ts';

/** `npm run test:servers`: the CalDAV suite against real DAViCal, SOGo, and Cyrus, which the operator installs. */

const missing = largePrograms.flatMap((program) => whyMissingLarge(program) ?? []);
for (const reason of missing) console.error(reason);
// Nothing ran is not the same as nothing failed.
if (missing.length === largePrograms.length) process.exit(1);

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', '--config', 'vitest.servers.config.ts'], {
  cwd: join(import.meta.dirname, '..'),
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
