import { createServer } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type Config, ConfigError, loadConfig, loadEnvFile } from '#platform/config.ts';
import { createKeyring } from '#platform/crypto.ts';
import { prepareDataDir } from '#platform/data-dir.ts';
import { isDatabaseAway, sqlStateOf } from '#platform/db.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { findEncryptionKeys } from '#platform/encryption-keys.ts';
import type { Feature } from '#platform/feature.ts';
import { createHttpServer, type HttpServer } from '#platform/http.ts';
import { createLog, errorsOf, type Log } from '#platform/log.ts';
import { NewerDatabaseError } from '#platform/migrate.ts';
import { bringUpToDate, openApp } from '#platform/open-app.ts';
import type { OpenApi } from '#platform/openapi.ts';
import { withProgress } from '#platform/progress.ts';
import { keepHeapSmall } from '#platform/small-heap.ts';
import { addressWithKey } from '#platform/this-machine.ts';
import { features as allFeatures } from './features.ts';

/**
 * The composition root: configuration -> resources -> features -> listen and/or work; closes in reverse.
 * A start that cannot work says why in one line and exits with 1.
 */

const root = join(import.meta.dirname, '..');
/** All of stopping fits into five seconds: requests and jobs get three of them to finish. */
const drainMs = 3000;
const stopWithinMs = 4800;

type Say = (line: string) => unknown;
type Closer = () => Promise<unknown>;

/** One process of Holdfast with these features, until a signal. Tests run it with features of their own. */
export async function run(features: readonly Feature[]): Promise<void> {
  try {
    await open(features);
  } catch (error) {
    process.stderr.write(`${isExplained(error) ? error.message : inspect(error)}\n`);
    process.exit(1);
  }
}

const isExplained = (error: unknown): error is Error =>
  error instanceof ConfigError || error instanceof NewerDatabaseError;

async function open(features: readonly Feature[]): Promise<void> {
  keepHeapSmall();
  loadEnvFile(join(root, '.env'));
  const config = await withFreePort(loadConfig(process.env, process.argv.slice(2)));
  const log = await createLog({ level: config.logLevel, format: config.logFormat });
  const say: Say = (line) => (config.logFormat === 'json' ? log.info(line) : process.stdout.write(`${line}\n`));

  const closers: Closer[] = [];
  const stop = onStop(closers, log);
  try {
    await start(features, config, log, say, closers);
    if (config.role === 'migrate') return void (await stop.close());
    // to the bootstrap, which starts again only a server that had been up
    if (process.connected) process.send?.('ready');
  } catch (error) {
    await stop.close();
    throw error;
  }
}

async function start(
  features: readonly Feature[],
  config: Config,
  log: Log,
  say: Say,
  closers: Closer[],
): Promise<void> {
  await prepareDataDir(config);
  const { keys, createdAt } = await findEncryptionKeys(config);
  if (createdAt !== undefined) {
    say(`Made a key for stored passwords: ${createdAt}. Without it they cannot be read: keep a copy.`);
  }
  let { databaseUrl } = config;
  if (databaseUrl === undefined) {
    const postgres = await withProgress(
      'Starting PostgreSQL',
      () => startEmbeddedPostgres({ dir: join(config.dataDir, 'postgres'), log }),
      say,
    );
    closers.push(() => postgres.close());
    databaseUrl = postgres.url;
  }
  const url = databaseUrl;
  const options = { config, databaseUrl: url, encryptionKeys: keys, log, features };
  const explain = (error: unknown) => {
    throw config.databaseUrl === undefined ? error : explainDatabase(error, url);
  };
  if (config.role === 'migrate') {
    await bringUpToDate(options, createKeyring(keys)).catch(explain);
    say('The database is up to date.');
    return;
  }
  const opened = await withProgress('Preparing the database', () => openApp(options), say).catch(explain);
  closers.push(opened.close);
  if (config.role === 'worker') {
    await opened.work();
    closers.push(() => opened.stopWork(drainMs));
    say('Holdfast works in the background. Ctrl-C stops it.');
    return;
  }
  const server = await createHttpServer(opened.app, features, { webRoot: join(root, 'dist/web') });
  closers.push(() => Promise.all([closeServer(server), opened.stopWork(drainMs)]));
  await server.listen().catch(async (error: unknown) => {
    throw await explainListen(error, config);
  });
  // after the port is open: a job that blocks or ends the process leaves people time to sign in and stop it
  if (config.role !== 'web') await opened.work();
  say(`Holdfast is ready: ${config.publicUrl}`);
  if (config.showsMail) {
    const address = addressWithKey(opened.app, '/dev/mail');
    say(`No mail server is set: read mail, such as the link that confirms your address, at ${address}`);
  } else if (config.smtpUrl === undefined) {
    log.warn('SMTP_URL is not set: nobody gets mail, so no address can be confirmed and no password reset');
  }
  let isNew = false;
  for (const feature of features) {
    const line = await feature.greet?.(opened.app);
    if (line === undefined) continue;
    isNew = true;
    say(line);
  }
  const first = config.showsMail ? addressWithKey(opened.app, '/') : config.publicUrl;
  const next = isNew ? ', create your account and connect two calendars' : '';
  say(`Open ${first} in a browser${next}. Ctrl-C stops it.`);
}

/** Closes in reverse on the first signal; a second one, or five seconds, end the process at once. */
function onStop(closers: Closer[], log: Log): { close: Closer } {
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      for (let next = closers.pop(); next !== undefined; next = closers.pop()) {
        await next().catch((error: unknown) => log.warn({ err: error }, 'closing failed'));
      }
    })();
    return closing;
  };
  let signalledMs = 0;
  const signalled = (signal: string) => {
    if (closing !== undefined) {
      // Ctrl-C arrives twice: from the terminal, and passed on by the bootstrap.
      if (performance.now() - signalledMs > 1000) process.exit(130);
      return;
    }
    signalledMs = performance.now();
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('stopping took too long');
      process.exit(1);
    }, stopWithinMs).unref();
    void close().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, signalled);
  // The bootstrap is gone, even if by kill -9: nobody could stop us any more.
  process.on('disconnect', () => signalled('disconnect'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a bug: the process cannot go on');
    // jobs and database recover from this as from kill -9
    void errorsOf(log)
      .write(300)
      .finally(() => process.exit(1));
  });
  return { close };
}

async function closeServer(server: HttpServer): Promise<void> {
  const late = setTimeout(() => server.fastify.server.closeAllConnections(), drainMs);
  await server.close();
  clearTimeout(late);
}

/** Port 0 becomes a free one, as the public address has to name it; a taken one is told before anything is started. */
async function withFreePort(config: Config): Promise<Config> {
  if (config.role === 'worker' || config.role === 'migrate') return config;
  const port = await new Promise<number>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => void explainListen(error, config).then(reject));
    probe.listen(config.port, config.host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : config.port));
    });
  });
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) };
}

async function explainListen(error: unknown, { host, port }: Config): Promise<Error> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    const other = await findOtherHoldfast(host, port);
    const taken =
      other === undefined ? `Port ${port} is taken: stop what uses it` : `Holdfast already runs at ${other}: open it`;
    return new ConfigError(`${taken}, or choose another port, e.g. PORT=${port + 1} npm start`);
  }
  if (code === 'EACCES')
    return new ConfigError(`Port ${port} may not be used by this user: choose one above 1023 with PORT`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ConfigError(`HOST ${host} is not an address of this machine`);
  return error as Error;
}

/** The public address of the Holdfast that listens there. */
async function findOtherHoldfast(host: string, port: number): Promise<string | undefined> {
  try {
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/api/openapi.json`;
    // a busy machine takes seconds to describe its API
    const answer = await fetch(address, { signal: AbortSignal.timeout(15_000), redirect: 'error' });
    const { info, servers } = (await answer.json()) as Partial<OpenApi>;
    return info?.title === 'Holdfast' ? servers?.[0]?.url : undefined;
  } catch {
    return undefined; // something else, or it does not answer
  }
}

function explainDatabase(error: unknown, databaseUrl: string): unknown {
  const { host, pathname } = new URL(databaseUrl);
  const code = sqlStateOf(error) ?? '';
  if (code === '28P01' || code === '28000')
    return new ConfigError(`PostgreSQL at ${host} refuses the user or the password of DATABASE_URL`);
  if (code === '3D000')
    return new ConfigError(
      `PostgreSQL at ${host} has no database ${pathname.slice(1)}: create it, or correct DATABASE_URL`,
    );
  if (isDatabaseAway(error) || ['ENOTFOUND', 'EAI_AGAIN'].includes((error as NodeJS.ErrnoException).code ?? ''))
    return new ConfigError(`No PostgreSQL answers at ${host}: start it, or correct DATABASE_URL`);
  return error;
}

if (import.meta.main) await run(allFeatures);
