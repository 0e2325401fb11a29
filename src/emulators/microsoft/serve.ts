import { parseArgs } from 'node:util';
import { launchMicrosoft } from './launch.ts';

/** `node src/emulators/microsoft/serve.ts --port 0`: prints its addresses as one line of JSON. */

const { values } = parseArgs({ options: { port: { type: 'string' } } });
const microsoft = await launchMicrosoft({ port: Number(values.port ?? 0) });
process.stdout.write(`${JSON.stringify({ url: microsoft.baseUrl, ...microsoft.urls })}\n`);

const stop = () => {
  void microsoft.close().then(() => process.exit(0));
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// the process ends with its parent: an unreachable emulator would run forever
process.stdin.on('end', stop).on('error', stop).resume();
