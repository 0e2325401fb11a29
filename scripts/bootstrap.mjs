// Behind `npm start`, `npm test` and the others. Plain JavaScript for any Node >= 18 and no packages: it brings what
// the rest needs (packages, Node 26, the browser bundle), then becomes a thin parent of the real process, which starts a
// server again that ended unexpectedly.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireWritable } from './bootstrap/machine.mjs';
import { bringPackages, mendPackages } from './bootstrap/packages.mjs';
import { become, Interrupted, read, StartError, step, withLock } from './bootstrap/processes.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/**
 * Memory settings. V8 uses up to 64 MB for its newest objects on a large machine. More than 16 is not faster here.
 * Socket reads arrive in pieces of 64 KB. Mapped separately, they are returned to the system and leave no holes.
 * src/platform/small-heap.ts does the rest.
 */
const small = { flags: ['--max-semi-space-size=8'], env: { MALLOC_MMAP_THRESHOLD_: '32768' } };
const scripts = {
  start: { file: 'src/main.ts', needsBundle: true, isWarmed: true, comesBack: true, ...small },
  // builds the bundle if one of its files needs it
  test: { file: 'scripts/test.ts', needsBundle: false },
  build: { needsBundle: true },
  'test:install': { file: 'scripts/test-install.ts', needsBundle: false },
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

async function main() {
  const [name = '', ...args] = process.argv.slice(2);
  const script = scripts[name];
  if (script === undefined) throw new StartError(`Say what to run: ${Object.keys(scripts).join(', ')}`);
  const parent = process.ppid;
  const node = await bringPackages(root);
  if (script.needsBundle && existsSync(join(root, 'src/web/index.html'))) {
    const hash = hashBundleSources();
    const isBuilt = () => read(bundleStamp) === stampOf(hash);
    if (!isBuilt()) {
      requireWritable(root, ...['dist', 'dist/web', 'dist/pages'].map((name) => join(root, name)));
      await withLock(root, 'build', isBuilt, () => buildBundle(node, hash));
    }
  }
  if (script.file === undefined) return;
  if (script.isWarmed) await warm(node, script);
  await become(node, [...(script.flags ?? []), join(root, script.file), ...args], {
    cwd: root,
    env: envOf(script),
    parent,
    mend: () => mendPackages(root),
    ...(script.comesBack ? { comesBack: true, afterKill: () => stopPostgres(node, args) } : {}),
  });
}

/** A server that was killed leaves its private PostgreSQL running. */
function stopPostgres(node, args) {
  const stopper = join(root, 'scripts/stop-postgres.ts');
  if (!existsSync(stopper)) return Promise.resolve();
  return new Promise((resolve) => {
    spawn(node, [stopper, ...args], { cwd: root, stdio: 'inherit', detached: true }).on('close', resolve);
  });
}

// --- the browser bundle -----------------------------------------------------------------------------------------

const bundleStamp = join(root, 'dist/web/.sources');
/** The sources, and how many files they became: a file that is gone is built again. */
const stampOf = (hash) => {
  const built = ['dist/web', 'dist/pages'].flatMap((name) => filesIn(join(root, name)));
  return `${hash} ${built.filter((path) => path !== bundleStamp).length}`;
};
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
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  await step('Building the browser bundle', node, [vite, 'build', '--logLevel', 'error'], { cwd: root });
  await step('Building the public pages', node, [join(root, 'scripts/build-pages.ts')], { cwd: root });
  writeFileSync(bundleStamp, stampOf(hash));
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
  await step('Preparing the server', node, [...(script.flags ?? []), warmer], { cwd: root, env: envOf(script) });
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

/** A package that lost a file is installed again, and what it broke is tried once more. */
async function run() {
  try {
    await main();
  } catch (error) {
    if (error instanceof Interrupted || !(await mendPackages(root))) throw error;
    await main();
  }
}

run().catch((error) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(error instanceof Interrupted ? error.exitCode : 1);
});
