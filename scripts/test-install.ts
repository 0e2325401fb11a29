import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../test/harness/free-port.ts';
import { readStart } from './quickstart.ts';

/**
 * `npm run test:install`: the README's commands in minimal installations of Debian, by an ordinary user, with the Node and npm of
 * that Debian. It needs root and debootstrap. `--quick` runs a part of `npm test`, `--release=trixie` one Debian,
 * `--dir=<directory>` keeps the minimal installations there for the next run. What is committed is tested.
 */

interface Machine {
  /** The directory that holds it. */
  root: string;
  /** The command line with which its user installs the packages that the README asks for. */
  aptLine: string;
}

interface Run {
  /** Default: the ordinary user. */
  user?: 'ada' | 'root';
  /** Without any network but the loopback interface. */
  offline?: boolean;
  env?: Record<string, string>;
  /** The run is left when this holds. */
  until?: (output: string) => boolean;
}

const repository = join(import.meta.dirname, '..');
const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const releases = ['bookworm', 'trixie'];
const home = '/home/ada';
const runWithinMs = 45 * 60_000;

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, release: { type: 'string' }, dir: { type: 'string' } },
});

// --- checks -------------------------------------------------------------------------------------------------------

const sentence = (line: RegExp) => (output: string) => {
  const lines = output.split('\n').filter((one) => one !== '' && !one.startsWith('> '));
  if (lines.length !== 1 || !line.test(lines[0] ?? '')) throw new Error(`expected one sentence, got:\n${output}`);
};

/** In the order in which they run: each finds the machine as the one before left it. */
const checks: readonly { name: string; run(machine: Machine): Promise<void> }[] = [
  {
    name: 'without libatomic, npm start says so and downloads nothing',
    async run(machine) {
      await inside(machine, `apt-get install -y --no-install-recommends ${packagesOf(machine, 'libatomic')}`, asRoot);
      await inside(machine, `useradd --create-home ada`, asRoot);
      prepareHome(machine);
      const output = await inside(machine, `git clone -q ${home}/holdfast.git try && cd try && ! npm start`);
      sentence(/^Node 26 needs libatomic\.so\.1: .*apt install libatomic1/)(output);
      if (existsSync(join(machine.root, home, 'try/node_modules'))) throw new Error('packages were installed');
    },
  },
  {
    name: "as root in another user's directory, npm start says how it works",
    async run(machine) {
      await inside(machine, `apt-get install -y --no-install-recommends ${packagesOf(machine)}`, asRoot);
      const output = await inside(machine, `chmod 700 ${home} && cd ${home}/try && ! npm start`, asRoot);
      sentence(/closed to PostgreSQL/)(output);
      await inside(machine, 'rm -r try');
    },
  },
  {
    name: "the README's commands, until it answers",
    async run(machine) {
      await starts(
        machine,
        readStart(readme).commands.join('\n').replace('<address of this repository>', '~/holdfast.git'),
      );
    },
  },
  {
    name: 'a second start, offline',
    run: (machine) => starts(machine, 'cd holdfast && npm start', { offline: true }),
  },
  {
    name: options.quick === true ? 'npm test -- src/kernel/time' : 'npm test',
    async run(machine) {
      const output = await inside(
        machine,
        `cd holdfast && npm test ${options.quick === true ? '-- src/kernel/time' : ''}`,
      );
      console.log(`        ${output.trim().split('\n').at(-1)}`);
    },
  },
  {
    name: 'a path with spaces, and umask 077',
    async run(machine) {
      await starts(machine, 'umask 077; git clone -q holdfast.git "my own holdfast"; cd "my own holdfast"; npm start');
      await inside(machine, 'rm -r "my own holdfast"');
    },
  },
  ...[
    ['while packages are unpacked', 'node_modules/node-linux-*/bin'],
    ['while the browser bundle is built', '.holdfast-build.lock'],
    ['while the database is made', 'data/postgres/data.new.*'],
  ].map(([moment = '', path = '']) => ({
    name: `killed ${moment}, then started again`,
    async run(machine: Machine) {
      const clone = join(home, 'killed');
      const until = () => globSync(join(machine.root, clone, path)).length > 0;
      await inside(machine, `rm -rf ${clone}; git clone -q holdfast.git ${clone}; cd ${clone}; npm start`, { until });
      await starts(machine, `cd ${clone} && npm start`);
    },
  })),
];

const asRoot = { user: 'root' } as const;

/** The packages of the README's line for Debian, without those whose name begins with `without`. */
function packagesOf({ aptLine }: Machine, without?: string): string {
  const names = aptLine.replace(/^.*apt install /, '').split(' ');
  return names.filter((name) => without === undefined || !name.startsWith(without)).join(' ');
}

/** Runs these commands until Holdfast is ready and answers, then ends them with Ctrl-C. */
async function starts(machine: Machine, script: string, run: Run = {}): Promise<void> {
  const port = await freePort();
  const child = enter(machine, script, { ...run, env: { PORT: `${port}` } });
  try {
    await waitFor(child, (output) => output.includes('Holdfast is ready'));
    const ask = `fetch('http://localhost:${port}/login').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(2))`;
    // From within its network.
    execFileSync('nsenter', ['--net', '--target', `${child.pid}`, process.execPath, '-e', ask], { stdio: 'ignore' });
    await interrupt(child);
  } finally {
    await kill(child);
  }
}

// --- running in a machine -----------------------------------------------------------------------------------------

/** Runs a script there until it ends with 0, or until `until` holds and it is killed. Returns its output. */
async function inside(machine: Machine, script: string, run: Run = {}): Promise<string> {
  const child = enter(machine, script, run);
  try {
    return await waitFor(child, run.until);
  } finally {
    await kill(child);
  }
}

const started = new Set<ChildProcess>();

/** Mounts and processes live in namespaces of this one process and go with it. */
function enter({ root }: Machine, script: string, { user = 'ada', offline = false, env = {} }: Run): ChildProcess {
  const inNamespaces = [
    offline ? 'ip link set lo up' : '',
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

function waitFor(child: ChildProcess, until?: (output: string) => boolean): Promise<string> {
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
async function interrupt(child: ChildProcess): Promise<void> {
  const late = setTimeout(() => void kill(child), 10_000);
  const closed = once(child, 'close');
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
  const [code] = (await closed) as [number | null];
  clearTimeout(late);
  if (code === null) throw new Error('Ctrl-C did not end it within ten seconds');
}

/** kill -9 of all that was started. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGKILL');
  await closed;
}

// --- making a machine ---------------------------------------------------------------------------------------------

/** Debian with nothing but apt, and with the way to the network that this machine has. */
function makeMachine(release: string, dir: string): Machine {
  const base = join(options.dir ?? dir, release);
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
  const [, aptLine] = /`sudo (apt install [^`]+)`/.exec(readme) ?? [];
  if (aptLine === undefined) throw new Error('The README has no apt line');
  return { root, aptLine };
}

/** The user's home: what npm has been told here, and the repository as it is committed. */
function prepareHome({ root }: Machine): void {
  for (const path of certificateFiles()) cpSync(path, join(root, path), { dereference: true });
  const there = join(root, home);
  for (const name of ['globalconfig', 'userconfig']) {
    const path = npmSetting(name);
    if (path === '' || !existsSync(path)) continue;
    const lines = readFileSync(path, 'utf8').split('\n');
    // Directories of this machine.
    const kept = lines.filter((line) => !/^(prefix|cache|nodedir|globalconfig|userconfig)\s*=/.test(line));
    appendFileSync(join(there, '.npmrc'), `${kept.join('\n')}\n`);
  }
  execFileSync('git', ['clone', '--quiet', '--bare', repository, join(there, 'holdfast.git')]);
  execFileSync('chroot', [root, 'chown', '-R', 'ada:ada', home]);
}

const npmSetting = (name: string) => {
  const value = execFileSync('npm', ['config', 'get', name], { cwd: tmpdir(), encoding: 'utf8' }).trim();
  return value === 'null' || value === 'undefined' ? '' : value;
};

function certificateFiles(): string[] {
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

// --- the run ------------------------------------------------------------------------------------------------------

async function main(): Promise<number> {
  const missing = ['debootstrap', 'unshare', 'nsenter', 'ip', 'apt-get'].filter(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  );
  if (missing.length > 0 || process.getuid?.() !== 0) {
    console.error(`This needs root on a Debian${missing.length > 0 ? ` with ${missing.join(', ')}` : ''}.`);
    return 1;
  }
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-install-'));
  const stop = async () => {
    await Promise.all([...started].map((child) => kill(child)));
    rmSync(dir, { recursive: true, force: true });
    process.exit(130);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(name, () => void stop());
  const counts = { passed: 0, failed: 0 };
  const tell = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const sinceMs = performance.now();
    let failure: unknown;
    try {
      await work();
    } catch (error) {
      failure = error ?? 'failed';
    }
    counts[failure === undefined ? 'passed' : 'failed'] += 1;
    const seconds = ((performance.now() - sinceMs) / 1000).toFixed(1).padStart(7);
    console.log(`${failure === undefined ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}`);
    if (failure !== undefined) console.log(failure instanceof Error ? failure.message : failure);
  };
  try {
    for (const release of releases.filter((one) => options.release === undefined || one === options.release)) {
      const machines: Machine[] = [];
      await tell(`${release}: a minimal installation`, async () => {
        const machine = makeMachine(release, dir);
        await inside(machine, 'apt-get update', asRoot);
        machines.push(machine);
      });
      for (const machine of machines) {
        for (const { name, run } of checks) await tell(`${release}: ${name}`, () => run(machine));
        rmSync(machine.root, { recursive: true, force: true });
      }
    }
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

process.exit(await main());
