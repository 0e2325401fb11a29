import { parseArgs } from 'node:util';
import { createClock } from '#emulators/kit/clock.ts';
import { listen } from '#emulators/kit/listen.ts';
import { createCaldav } from './emulator.ts';
import { type QuirkProfile, quirkProfiles } from './quirks.ts';

/** `node src/emulators/caldav/serve.ts --port 0 --profile radicale`: prints its address as one line of JSON. */

const { values } = parseArgs({ options: { port: { type: 'string' }, profile: { type: 'string' } } });
const profile = values.profile ?? 'faithful';
if (!(profile in quirkProfiles)) {
  process.stderr.write(`--profile must be one of ${Object.keys(quirkProfiles).join(', ')}, not ${profile}\n`);
  process.exit(2);
}
const emulator = await listen(createCaldav(createClock(), profile as QuirkProfile), Number(values.port ?? 0));
process.stdout.write(`${JSON.stringify({ url: emulator.url })}\n`);

const stop = () => {
  void emulator.close().then(() => process.exit(0));
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// the process ends with its parent: an unreachable emulator would run forever
process.stdin.on('end', stop).on('error', stop).resume();
