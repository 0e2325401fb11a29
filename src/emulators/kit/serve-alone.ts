import type { Served } from './drive.ts';
import { listen } from './listen.ts';
import { sendToLoopback } from './send-to-loopback.ts';

/** Runs an emulator as a process of its own: prints its address as one line of JSON, and ends with its parent. */
export async function serveAlone<World>(served: Served<World>): Promise<void> {
  served.emulator.deliveries.sendWith(sendToLoopback);
  served.emulator.deliveries.setMode('auto');
  const { url, close } = await listen(served);
  process.stdout.write(`${JSON.stringify({ url })}\n`);
  const stop = () => void close().then(() => process.exit(0));
  process.on('SIGTERM', stop).on('SIGINT', stop);
  process.stdin.on('end', stop).on('error', stop).resume();
}
