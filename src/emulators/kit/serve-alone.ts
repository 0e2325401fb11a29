import type { Served } from './drive.ts';
import { listen } from './listen.ts';
import { sendToLoopback } from './send-to-loopback.ts';

/** An emulator as a process of its own: prints where it is as one line of JSON, and ends when whoever started it does. */
export async function serveAlone<World>(served: Served<World>): Promise<void> {
  served.emulator.deliveries.sendWith(sendToLoopback);
  served.emulator.deliveries.setMode('auto');
  const { url, close } = await listen(served);
  process.stdout.write(`${JSON.stringify({ url })}\n`);
  const stop = () => void close().then(() => process.exit(0));
  process.on('SIGTERM', stop).on('SIGINT', stop);
  process.stdin.on('end', stop).on('error', stop).resume();
}
