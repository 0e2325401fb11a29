import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../test/harness/free-port.ts';
import {
  certificateFiles,
  enter,
  home,
  type Installation,
  inside,
  interrupt,
  kill,
  killAll,
  makeInstallation,
  npmSetting,
  type Run,
  waitFor,
  whyNoInstallation,
} from './install/minimal-debian.ts';
import { readStart } from './quickstart.ts';

/**
 * `npm run test:install`: the README's commands in minimal installations of Debian, by an ordinary user, with the Node
 * and npm of that Debian. The script needs root and debootstrap. `--quick` runs a part of `npm test`,
 * `--release=trixie` one Debian, `--dir=<directory>` keeps the minimal installations there for the next run. The last
 * commit is tested.
 */

interface Machine extends Installation {
  /** The command line with which its user installs the packages that the README asks for. */
  aptLine: string;
}

const repository = join(import.meta.dirname, '..');
const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const releases = ['bookworm', 'trixie'];

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

function makeMachine(release: string, dir: string): Machine {
  const [, aptLine] = /`sudo (apt install [^`]+)`/.exec(readme) ?? [];
  if (aptLine === undefined) throw new Error('The README has no apt line');
  return { ...makeInstallation(release, dir, options.dir), aptLine };
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

// --- the run ------------------------------------------------------------------------------------------------------

async function main(): Promise<number> {
  const reason = whyNoInstallation();
  if (reason !== null) {
    console.error(reason);
    return 1;
  }
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-install-'));
  const stop = async () => {
    await killAll();
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
