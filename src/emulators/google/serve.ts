import { parseArgs } from 'node:util';
import { launchGoogle } from './launch.ts';

/** `node src/emulators/google/serve.ts --port 0`: prints where everything is as one line of JSON. */

const { values } = parseArgs({ options: { port: { type: 'string' } } });
const google = await launchGoogle({ port: Number(values.port ?? 0) });
process.stdout.write(`${JSON.stringify({ url: google.baseUrl, ...google.endpoints })}\n`);

const stop = () => {
  void google.close().then(() => process.exit(0));
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// the process ends with its parent: an unreachable emulator would run forever
process.stdin.on('end', stop).on('error', stop).resume();
