import { parentPort, workerData } from 'node:worker_threads';
import { Agent, request } from 'undici';

/**
 * Visitors on a processor of their own: so many at once, each asks again as soon as it is answered, each request from
 * another network. Tells how long each answer took, and how many starts the answers had.
 */
export interface Visit {
  urls: string[];
  connections: number;
  forMs: number;
}

export interface Visited {
  latenciesMs: number[];
  tookMs: number;
  starts: number;
  failures: string[];
}

parentPort?.on('message', (visit: Visit) => {
  void answer(visit).then((visited) => parentPort?.postMessage(visited));
});
if (workerData === 'ready') parentPort?.postMessage('ready');

async function answer({ urls, connections, forMs }: Visit): Promise<Visited> {
  const agent = new Agent({ connections });
  const latenciesMs: number[] = [];
  const failures: string[] = [];
  let [turn, starts] = [0, 0];
  const started = performance.now();
  const visitor = async () => {
    while (performance.now() - started < forMs) {
      const n = turn++;
      const from = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
      const asked = performance.now();
      const { statusCode, body } = await request(urls[n % urls.length]!, {
        dispatcher: agent,
        headers: { 'x-forwarded-for': from },
      });
      const text = await body.text();
      latenciesMs.push(performance.now() - asked);
      if (statusCode !== 200) failures.push(`${statusCode} ${text.slice(0, 200)}`);
      // Parsed now and then only: the visitors must not be what is measured.
      else if (n % 64 === 0) starts += (JSON.parse(text) as { starts: number[] }).starts.length;
    }
  };
  await Promise.all(Array.from({ length: connections }, visitor));
  const tookMs = performance.now() - started;
  await agent.close();
  return { latenciesMs, tookMs, starts, failures };
}
