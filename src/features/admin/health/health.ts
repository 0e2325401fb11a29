import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { listAdministratorIds } from '#features/accounts/people/public.ts';
import { listCallSums } from '#features/sync/public.ts';
import { percentileMs } from '#features/sync/rules/latency.ts';
import type { Output } from '#kernel/contract.ts';
import type { UserId } from '#kernel/ids.ts';
import { ageOfZoneData } from '#kernel/time/zone-data.ts';
import type { App } from '#platform/app.ts';
import { findLastBackup } from '#platform/backup-job.ts';
import { inTransaction, readDatabaseTime } from '#platform/db.ts';
import { listErrors } from '#platform/error-book.ts';
import { deadLetterQueue, type QueueDepth } from '#platform/jobs.ts';
import { readOutboxPace } from '#platform/mail-troubles.ts';
import { brandingOfKind } from '../integrations/integrations.ts';
import { listAlerts, listStandingAlerts, settleAlerts } from '../store/alerts.ts';
import {
  beatProcess,
  countProcesses,
  deleteProcesses,
  getSuccessRates,
  getWatched,
  noteServices,
  takeWatch,
} from '../store/watched.ts';
import type { systemEndpoints } from './contract.ts';
import {
  alertsShown,
  alertsTopic,
  decideMailStatus,
  decideProviderStatus,
  judgeBackup,
  judgeDatabase,
  judgeDisk,
  judgeQueue,
  judgeStream,
  judgeWorker,
  keyOf,
  planAlerts,
  type Service,
  type ServiceView,
  worstOf,
} from './rules.ts';

const errorsShown = 50;

export async function getHealth(app: App): Promise<Output<typeof systemEndpoints.readHealth>> {
  const { agoMs, logDays, services: known } = await getWatched(app.db);
  const [{ services, queues }, success, alerts, errors] = await Promise.all([
    measureSystem(app, agoMs, known),
    getSuccessRates(app.db),
    listAlerts(app.db, alertsShown),
    listErrors(app.db, errorsShown),
  ]);
  return {
    at: app.clock.nowMs(),
    status: worstOf(services),
    services: viewServices(services, success),
    queues: queues.filter(({ name }) => name !== deadLetterQueue),
    deadLetters: queues.find(({ name }) => name === deadLetterQueue)?.due ?? 0,
    alerts,
    errors: errors.map(({ firstMs, lastMs, ...error }) => ({ ...error, firstAt: firstMs, lastAt: lastMs })),
    zoneData: ageOfZoneData(process.versions.tz ?? '', app.clock.nowMs()),
    logDays,
  };
}

export function viewServices(services: readonly Service[], success: Map<string, number>): ServiceView[] {
  return services.map((service) => ({
    ...service,
    label: service.provider === null ? null : brandingOfKind(service.provider).label,
    successPct: success.get(keyOf(service)) ?? null,
  }));
}

/** Readings of the present hour and the one before it decide about a provider. */
const providerHours = 2;

interface Measured {
  services: Service[];
  queues: QueueDepth[];
}

/**
 * Probes every part of the running system now. `watchedAgoMs`: time since a worker last did this by schedule. `known`:
 * the last measurement, for readers, because a probe of the stream writes.
 */
export async function measureSystem(
  app: App,
  watchedAgoMs: number | null,
  known: readonly Service[] | null,
): Promise<Measured> {
  // separately: among the others its wait would be measured
  const database = await probeDatabase(app);
  const [{ queue, queues }, processes, mail, stream, disk, backup, providers] = await Promise.all([
    probeQueue(app),
    countProcesses(app.db),
    probeMail(app),
    known === null ? probeStream(app) : known.find(({ name }) => name === 'stream'),
    probeDisk(app),
    probeBackup(app),
    probeProviders(app),
  ]);
  const worker: Service = {
    name: 'worker',
    provider: null,
    status: judgeWorker(watchedAgoMs),
    latencyMs: watchedAgoMs === null ? null : Math.round(watchedAgoMs),
    facts: { processes: processes.working },
  };
  const live = stream && { ...stream, facts: { streams: processes.streams, processes: processes.serving } };
  return {
    services: [database, queue, worker, mail, ...(live ? [live] : []), ...disk, ...backup, ...providers],
    queues,
  };
}

async function timed<Answer>(ask: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const startMs = performance.now();
  const answer = await ask();
  return { answer, ms: Math.round((performance.now() - startMs) * 10) / 10 };
}

async function probeDatabase({ db }: App): Promise<Service> {
  const { ms } = await timed(() => readDatabaseTime(db));
  return { name: 'database', provider: null, status: judgeDatabase(ms), latencyMs: ms, facts: {} };
}

async function probeQueue({ jobs }: App): Promise<{ queue: Service; queues: QueueDepth[] }> {
  const queues = await jobs.listQueues();
  const live = queues.filter(({ name }) => name !== deadLetterQueue);
  const oldestMs = Math.max(0, ...live.map(({ oldestDueMs }) => oldestDueMs ?? 0));
  const due = live.reduce((sum, one) => sum + one.due, 0);
  const queue: Service = {
    name: 'queue',
    provider: null,
    status: judgeQueue(oldestMs),
    latencyMs: Math.round(oldestMs),
    facts: { due, running: live.reduce((sum, one) => sum + one.running, 0) },
  };
  return { queue, queues };
}

async function probeMail({ db, mail }: App): Promise<Service> {
  const { delayMs, ...pace } = await readOutboxPace(db);
  const hasServer = mail.transport !== null;
  const status = decideMailStatus({ hasServer, oldestWaitingMs: pace.oldestWaitingMs });
  const facts = { ...pace, noServer: hasServer ? 0 : 1 };
  return { name: 'mail', provider: null, status, latencyMs: delayMs, facts };
}

/** A message to nobody goes the way that every message to a browser goes. */
async function probeStream({ db, feed }: App): Promise<Service> {
  const nobody = randomUUID() as UserId;
  const heard = Promise.withResolvers<void>();
  const subscription = feed.subscribe(nobody, undefined, () => heard.resolve());
  const patience = setTimeout(() => heard.reject(new Error('not heard')), 5_000);
  try {
    // together: it may be too late before it was published
    const { ms } = await timed(() => Promise.all([feed.publish(db, nobody, 'probe'), heard.promise]));
    return { name: 'stream', provider: null, status: judgeStream(ms), latencyMs: ms, facts: {} };
  } catch {
    return { name: 'stream', provider: null, status: judgeStream(null), latencyMs: null, facts: {} };
  } finally {
    clearTimeout(patience);
    subscription.close();
  }
}

/** Where our data lies; none where that is elsewhere. */
async function probeDisk({ config }: App): Promise<Service[]> {
  const found = await timed(() => statfs(config.dataDir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return [];
  const { blocks, bavail, bsize } = found.answer;
  const usedPct = blocks === 0 ? 0 : Math.round((1 - bavail / blocks) * 1000) / 10;
  const freeGb = Math.round((bavail * bsize) / 1e8) / 10;
  return [
    { name: 'disk', provider: null, status: judgeDisk(usedPct), latencyMs: found.ms, facts: { usedPct, freeGb } },
  ];
}

/** The age of the last backup. Only on installs with scheduled backups. */
async function probeBackup({ db, config }: App): Promise<Service[]> {
  if (config.backupDir === undefined) return [];
  const last = await findLastBackup(db);
  const every = config.backupEveryHours;
  const hours = last === null ? null : last.ageMs / 3_600_000;
  const facts: Service['facts'] = hours === null ? { every, noBackup: 1 } : { every, hours: Math.floor(hours) };
  return [{ name: 'backup', provider: null, status: judgeBackup(hours, every), latencyMs: null, facts }];
}

/** By what real readings met; nobody is asked for this. */
async function probeProviders({ db }: App): Promise<Service[]> {
  const kinds = Map.groupBy(
    (await listCallSums(db, providerHours)).filter(({ provider }) => provider !== 'holdfast'),
    ({ provider, profile }) => `${provider}/${profile}`,
  );
  return [...kinds].map(([provider, hours]) => {
    const sum = (of: 'answered' | 'auth' | 'limited' | 'refused' | 'silent') =>
      hours.reduce((total, hour) => total + hour[of], 0);
    const silent = sum('silent');
    const calls = sum('answered') + sum('auth') + sum('limited') + sum('refused') + silent;
    const latency = hours.reduce<number[]>((all, hour) => hour.latency.map((count, at) => count + (all[at] ?? 0)), []);
    return {
      name: 'provider',
      provider,
      status: decideProviderStatus({ calls, silent }),
      latencyMs: percentileMs(latency, 0.5),
      facts: { calls, silent },
    };
  });
}

const errorsLookedAt = 50;
const deadWithinMs = 3_600_000;

/**
 * Looks after the running system: measures it, notes what was found, raises alerts and ends those that are over. A worker does so
 * by its schedule; a process that serves does where no worker has for a while, so that its absence is told.
 */
export async function watchSystem(app: App, by: 'worker' | 'server'): Promise<void> {
  const before = await getWatched(app.db);
  const { services, queues } = await measureSystem(app, by === 'worker' ? 0 : before.agoMs, null);
  const [errors, dead] = await Promise.all([listErrors(app.db, errorsLookedAt), app.jobs.listDeadLetters(100)]);
  const nowMs = (await readDatabaseTime(app.db)).epochMilliseconds;
  await inTransaction(app.db, async (tx) => {
    if (!(await takeWatch(tx))) return;
    const alerts = planAlerts(
      {
        services,
        queues: queues.filter(({ name }) => name !== deadLetterQueue),
        deadLetters: dead.filter(({ failedAt }) => nowMs - failedAt.epochMilliseconds < deadWithinMs).length,
        errors: errors.map((error) => ({ ...error, agoMs: nowMs - error.lastMs })),
      },
      await listStandingAlerts(tx),
    );
    if (await settleAlerts(tx, alerts)) await app.feed.publishToAll(tx, await listAdministratorIds(tx), alertsTopic);
    await noteServices(tx, services, by === 'worker');
  });
}

export const watchEveryMs = 15_000;
/** Without a check by a worker for this long, a server checks the system. */
const workerAwayMs = 60_000;

/** Starts the heartbeat of this process. Returns the function that stops it. */
export async function startHeartbeat(app: App): Promise<() => Promise<void>> {
  const id = randomUUID();
  const { role } = app.config;
  let beating: Promise<void> = Promise.resolve();
  const beat = async () => {
    const { values } = await app.metrics.streams.get();
    await beatProcess(app.db, { id, role, streams: values[0]?.value ?? 0 });
    if (role === 'worker') return;
    const { agoMs } = await getWatched(app.db);
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
    await deleteProcesses(app.db, id);
  };
}
