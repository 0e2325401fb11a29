import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Minimal installations of Debian, made by debootstrap. A command in one gets mounts and processes of its own. */

export interface Installation {
  /** The directory that holds it. */
  root: string;
}

export interface Run {
  /** Default: the ordinary user. */
  user?: 'ada' | 'root';
  /** Without any network but the loopback interface. */
  offline?: boolean;
  env?: Record<string, string>;
  /** The run is left when this holds. */
  until?: (output: string) => boolean;
  /** Directories of this machine, by the absolute path at which the installation has them. */
  shares?: Record<string, string>;
}

/** Home of the ordinary user. */
export const home = '/home/ada';
const runWithinMs = 45 * 60_000;

/** Why no installation can be made here, or null. */
export function whyNoInstallation(): string | null {
  const missing = ['debootstrap', 'unshare', 'nsenter', 'ip', 'apt-get'].filter(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  );
  if (missing.length === 0 && process.getuid?.() === 0) return null;
  return `This needs root on a Debian${missing.length > 0 ? ` with ${missing.join(', ')}` : ''}.`;
}

/** Runs a script there until it ends with 0, or until `until` holds and it is killed. Returns its output. */
export async function inside(installation: Installation, script: string, run: Run = {}): Promise<string> {
  const child = enter(installation, script, run);
  try {
    return await waitFor(child, run.until);
  } finally {
    await kill(child);
  }
}

const started = new Set<ChildProcess>();

/** Mounts and processes live in namespaces of this one process and go with it. */
export function enter(
  { root }: Installation,
  script: string,
  { user = 'ada', offline = false, env = {}, shares = {} }: Run,
): ChildProcess {
  for (const there of Object.keys(shares)) mkdirSync(join(root, there), { recursive: true });
  const inNamespaces = [
    offline ? 'ip link set lo up' : '',
    ...Object.entries(shares).map(([there, here]) => `mount --rbind ${quoted(here)} "$1"${quoted(there)}`),
    'mount -t proc proc "$1/proc"',
    'mount --rbind /dev "$1/dev"',
    'shift && exec chroot "$@"',
  ];
  const all = {
    ...settingsOfNetwork(),
    HOME: user === 'root' ? '/root' : home,
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    DEBIAN_FRONTEND: 'noninteractive',
    ...env,
  };
  const settings = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  const isolation = ['--mount', '--pid', '--fork', '--kill-child', ...(offline ? ['--net'] : [])];
  const shell = ['/usr/bin/env', '-i', ...settings, 'sh', '-c', `set -e; cd; ${script}\nexit $?`];
  const child = spawn(
    'unshare',
    [...isolation, 'sh', '-ec', inNamespaces.join('\n'), 'sh', root, `--userspec=${user}:${user}`, root, ...shell],
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  started.add(child);
  child.on('close', () => started.delete(child));
  return child;
}

export function waitFor(child: ChildProcess, until?: (output: string) => boolean): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  const fail = (why: string) => reject(new Error(`${why}:\n${output.slice(-4000)}`));
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const look = setInterval(() => {
    if (until?.(output) === true) resolve(output);
  }, 50);
  const late = setTimeout(() => fail('it takes too long'), runWithinMs);
  child.on('error', reject);
  child.on('close', (code) => {
    if (code === 0 && until === undefined) resolve(output);
    else fail(`it ended with ${code}`);
  });
  return promise.finally(() => {
    clearInterval(look);
    clearTimeout(late);
  });
}

/** Ctrl-C, which a terminal sends to all processes of a command. */
export async function interrupt(child: ChildProcess): Promise<void> {
  const late = setTimeout(() => void kill(child), 10_000);
  const closed = once(child, 'close');
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
  const [code] = (await closed) as [number | null];
  clearTimeout(late);
  if (code === null) throw new Error('Ctrl-C did not end it within ten seconds');
}

/** kill -9 of this command and all that it started. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGKILL');
  await closed;
}

/** Ends all commands that run. */
export async function killAll(): Promise<void> {
  await Promise.all([...started].map((child) => kill(child)));
}

const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;

/** Debian with nothing but apt, and with the way to the network that this machine has. `keptIn` holds it for the next run. */
export function makeInstallation(release: string, dir: string, keptIn = dir): Installation {
  const base = join(keptIn, release);
  if (!existsSync(join(base, 'etc/debian_version'))) {
    const args = ['--variant=minbase', release, base, mirrorOfThisMachine()];
    const { status, stdout } = spawnSync('debootstrap', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`debootstrap failed for ${release}:\n${stdout.slice(-2000)}`);
  }
  const root = join(dir, `${release}-in-use`);
  execFileSync('cp', ['-a', base, root]);
  const acquire = execFileSync('apt-config', ['dump', 'Acquire'], { encoding: 'utf8' });
  const kept = acquire.split('\n').filter((line) => /^Acquire::(https?|Check|Retries|Force)/.test(line));
  writeFileSync(join(root, 'etc/apt/apt.conf.d/90host'), kept.join('\n'));
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/apt/auth.conf.d', ...certificateFiles()]) {
    if (!existsSync(path)) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(path, join(root, path), { recursive: true, dereference: true });
  }
  return { root };
}

export const npmSetting = (name: string) => {
  const value = execFileSync('npm', ['config', 'get', name], { cwd: tmpdir(), encoding: 'utf8' }).trim();
  return value === 'null' || value === 'undefined' ? '' : value;
};

export function certificateFiles(): string[] {
  const paths = ['/etc/ssl/certs/ca-certificates.crt', process.env.NODE_EXTRA_CA_CERTS, npmSetting('cafile')];
  return [...new Set(paths)].filter((path) => path !== undefined && path !== '' && existsSync(path)) as string[];
}

function settingsOfNetwork(): Record<string, string> {
  const isOne =
    /^((https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|npm_config_(registry|https?_proxy|proxy|noproxy|strict_ssl))$/i;
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (isOne.test(name) && value ? [[name, value]] : [])),
  );
}

function mirrorOfThisMachine(): string {
  const args = ['indextargets', '--format', '$(LABEL) $(REPO_URI)', 'Created-By: Packages'];
  const found = /^Debian (\S+)$/m.exec(execFileSync('apt-get', args, { encoding: 'utf8' }));
  if (found?.[1] === undefined)
    throw new Error('The apt of this machine has no mirror of Debian: add one and run apt-get update');
  return found[1];
}
