import { randomUUID } from 'node:crypto';
import type { App } from '#platform/app.ts';
import { watchEveryMs } from './jobs.ts';
import { beatProcess, dropProcesses, readWatched } from './store/watched.ts';
import { watchSystem } from './watch-system.ts';

/** Where no worker has looked for so long, whoever serves looks after the system. */
const workerAwayMs = 60_000;

/** From now on this process says that it lives; the answer ends that. */
export async function keepBeat(app: App): Promise<() => Promise<void>> {
  const id = randomUUID();
  const { role } = app.config;
  let beating: Promise<void> = Promise.resolve();
  const beat = async () => {
    const { values } = await app.metrics.streams.get();
    await beatProcess(app.db, { id, role, streams: values[0]?.value ?? 0 });
    if (role === 'worker') return;
    const { agoMs } = await readWatched(app.db);
    if (agoMs === null || agoMs > workerAwayMs) await watchSystem(app, 'server');
  };
  const timer = setInterval(() => {
    beating = beating
      .then(beat)
      .catch((error: unknown) => app.log.warn({ err: error }, 'a process could not say that it lives'));
  }, watchEveryMs).unref();
  await beatProcess(app.db, { id, role, streams: 0 });
  return async () => {
    clearInterval(timer);
    await beating;
    await dropProcesses(app.db, id);
  };
}
