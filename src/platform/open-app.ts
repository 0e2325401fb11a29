import { join } from 'node:path';
import { type ApiFetch, createApiFetch } from './api-fetch.ts';
import type { App } from './app.ts';
import { backUpInto, backupJobs, keepNewest, nameUpgrade } from './backup-job.ts';
import { watchBrand } from './brand.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Config, ConfigError } from './config.ts';
import { createKeyring, type Keyring } from './crypto.ts';
import { type Database, openDatabase } from './db.ts';
import type { Feature } from './feature.ts';
import { createFeed } from './feed.ts';
import { createSafeFetch, type SafeFetch } from './fetch.ts';
import { createJobs } from './jobs.ts';
import { errorsOf, type Log } from './log.ts';
import { createMail } from './mail.ts';
import { mailJobs, mailSchedules } from './mail-delivery.ts';
import { openMailTransport } from './mail-transport.ts';
import { watchMaintenance } from './maintenance.ts';
import { addMeasures } from './measures.ts';
import { createMetrics } from './metrics.ts';
import { listPending, MigrationError, migrate, NewerDatabaseError } from './migrate.ts';
import { createNews } from './news.ts';
import { measurePools, ownMeasures } from './own-measures.ts';
import { settleRestore } from './settle-restore.ts';

/** A page about a database that is away comes within two seconds. */
const peoplePatienceMs = 1_500;
/** Time without warnings about slow statements of a new database, where everything runs for the first time. */
const newDatabaseMs = 60_000;
/** A page takes some milliseconds of each statement. One that takes seconds keeps a connection from everybody else. */
const peopleStatementMs = 8_000;

export interface OpenAppOptions {
  config: Config;
  databaseUrl: string;
  encryptionKeys: string;
  log: Log;
  features: readonly Feature[];
  clock?: Clock;
  fetch?: SafeFetch;
  apiFetch?: ApiFetch;
  /** How long people wait for a connection to the database. */
  patienceMs?: number;
  /** Longest time of one statement. */
  statementMs?: number;
}

export interface OpenApp {
  app: App;
  /** The same as jobs are given it: with a database that keeps the plans of their statements. */
  jobsApp: App;
  /** Begins to run jobs. */
  work(): Promise<void>;
  /** Ends the jobs, waiting for what runs at most `drainMs`. */
  stopWork(drainMs?: number): Promise<void>;
  /** Ends the jobs, the features in reverse order, and the connections. */
  close(): Promise<void>;
}

/**
 * Makes the App: connects, migrates, prepares the jobs and starts the features. On failure everything opened is closed.
 */
export async function openApp(options: OpenAppOptions): Promise<OpenApp> {
  const { config, log, features, databaseUrl: url, patienceMs = peoplePatienceMs } = options;
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let next = closers.pop(); next !== undefined; next = closers.pop()) {
      await next().catch((error: unknown) => log.warn({ err: error }, 'closing failed'));
    }
  };
  try {
    const keyring = createKeyring(options.encryptionKeys);
    const metrics = createMetrics();
    const isNew = await bringUpToDate(options, keyring);
    const tellSlowFromMs = isNew ? performance.now() + newDatabaseMs : 0;
    const statementMs = options.statementMs ?? peopleStatementMs;
    const database = openDatabase({ url, log, patienceMs, statementMs, tellSlowFromMs });
    closers.push(database.close);
    const jobsDatabase = openDatabase({ url, log, plans: 'kept', tellSlowFromMs });
    closers.push(jobsDatabase.close);
    closers.push(errorsOf(log).keepIn(database.db));

    const runs = metrics.jobSeconds;
    const backups = backupJobs({ config, databaseUrl: url, keyring });
    const allJobs = [...mailJobs, ...backups.jobs, ...features.flatMap((feature) => feature.jobs ?? [])];
    const jobs = createJobs({
      url,
      log,
      jobs: allJobs,
      schedules: [...mailSchedules, ...backups.schedules, ...features.flatMap((feature) => feature.schedules ?? [])],
      onRun: ({ job, outcome, durationMs }) => runs.observe({ job, outcome }, durationMs / 1000),
    });
    let stopped: Promise<void> | undefined;
    const stopWork = (drainMs?: number) => {
      stopped ??= jobs.close(drainMs);
      return stopped;
    };
    closers.push(stopWork);
    await jobs.start();

    const feed = createFeed({ db: database.db, url, log });
    closers.push(() => feed.close());
    const api = createApiFetch();
    closers.push(api.close);
    addMeasures(metrics.registry, database.db, [
      ...ownMeasures,
      ...features.flatMap((feature) => feature.measures ?? []),
    ]);
    measurePools(metrics.registry, { main: database.pool, jobs: jobsDatabase.pool });
    const { smtpUrl, mailFrom: from } = config;
    const transport =
      smtpUrl === undefined ? null : openMailTransport({ smtpUrl, name: new URL(config.publicUrl).hostname });
    closers.push(async () => transport?.close());
    const maintenance = await watchMaintenance(database.db, log, (note) => jobs.rest(note !== null));
    closers.push(async () => maintenance.close());
    const brand = await watchBrand(database.db);
    closers.push(async () => brand.close());
    const clock = options.clock ?? systemClock;
    const app: App = {
      config,
      log,
      db: database.db,
      jobs,
      clock,
      keyring,
      fetch: options.fetch ?? createSafeFetch({ allowPrivate: [], log }),
      connectionFetch: options.fetch ?? createSafeFetch({ allowPrivate: config.caldavAllowPrivate, log }),
      apiFetch: options.apiFetch ?? api.fetch,
      feed,
      metrics,
      maintenance,
      brand,
      mail: createMail({ jobs, keyring, from, transport, brand, clock, publicUrl: config.publicUrl }),
      news: createNews(
        { jobs, clock, keyring, config, feed },
        features.flatMap((feature) => feature.listeners ?? []),
      ),
    };
    await settleRestore({ ...app, db: jobsDatabase.db }, features, allJobs);
    for (const feature of features) {
      const stop = await feature.start?.(app);
      if (stop !== undefined) closers.push(stop);
    }
    // Jobs use what the features have opened: they end first.
    closers.push(stopWork);
    const jobsApp: App = { ...app, db: jobsDatabase.db };
    return { app, jobsApp, work: () => jobs.work(jobsApp), stopWork, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Backs up the database and brings it to the newest schema. Several processes may call it at once. Returns whether the
 * database is new. *Errors*: MigrationError, NewerDatabaseError; nothing was changed then.
 */
export async function bringUpToDate(options: OpenAppOptions, keyring: Keyring): Promise<boolean> {
  const { databaseUrl: url, log, patienceMs = peoplePatienceMs } = options;
  const { db, close } = openDatabase({
    url,
    log,
    patienceMs,
    slowQueryMs: Number.POSITIVE_INFINITY,
  });
  try {
    const pending = await listPending(db);
    const backup = await backUpBeforeUpgrade(options, db, keyring, pending);
    const ran = await migrate(db).catch((error: unknown) => {
      log.error({ err: error }, 'the database was not brought up to date');
      throw explainUpgrade(error, backup);
    });
    const isNew = pending === null && ran.length > 0;
    if (isNew) log.info('Created the database');
    else if (ran.length > 0) log.info({ migrations: ran }, 'the database was brought up to date');
    return isNew;
  } finally {
    await close();
  }
}

/** Backs up before a migration, which cannot be undone: a return to the old version needs the old data. */
async function backUpBeforeUpgrade(
  { config, databaseUrl, log }: OpenAppOptions,
  db: Database,
  keyring: Keyring,
  pending: string[] | null,
): Promise<string | undefined> {
  if (!config.backsUpBeforeUpgrade) return undefined;
  const last = pending?.at(-1);
  if (last === undefined) return undefined;
  const dir = config.backupDir ?? join(config.dataDir, 'backups');
  try {
    const install = { databaseUrl, dataDir: config.dataDir, seal: { keyring } };
    const file = await backUpInto(dir, install, db, log, nameUpgrade(last));
    log.info({ file, migrations: pending }, 'the database was backed up before it is brought up to date');
    // a service that is started over and over by its supervisor would fill the disk
    await keepNewest(dir, 1, nameUpgrade(last));
    return file;
  } catch (cause) {
    throw new ConfigError(
      `This version changes the database, and the backup before that could not be written to ${dir} (${(cause as Error).message}). Nothing was changed. Set BACKUP_DIR to a writable directory, or set BACKUP_BEFORE_UPGRADE=false if you have a backup.`,
    );
  }
}

/** Returns an error whose single line tells the operator what to do now. */
function explainUpgrade(error: unknown, backup: string | undefined): unknown {
  if (error instanceof MigrationError) {
    const why = error.cause instanceof Error ? error.cause.message : 'unknown cause';
    const saved = backup === undefined ? 'No backup was made before it.' : `A backup was made before it: ${backup}.`;
    return new ConfigError(
      `This version could not update the database: ${error.message} (${why}). Nothing was changed, and the previous version still starts. ${saved}`,
    );
  }
  if (error instanceof NewerDatabaseError) {
    return new ConfigError(
      `This database is of a newer Holdfast, which has changed it (${error.migration}). Nothing was changed. Start that version, or go back with the backup made before the upgrade: npm run restore -- before-upgrade-… --replace`,
    );
  }
  return error;
}
