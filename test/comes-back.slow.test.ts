import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from './harness/free-port.ts';
import { killAll, launch } from './harness/spawn-holdfast.ts';
import { waitFor } from './harness/wait-for.ts';

/** `npm start` without what it installs and builds: the parent of `scripts/bootstrap`, a real server, a private PostgreSQL. */

const root = join(import.meta.dirname, '..');
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hf-back-'));
});
afterAll(async () => {
  killAll();
  await rm(dir, { recursive: true, force: true });
});

/** As `scripts/bootstrap.mjs` ends; it says the number of each server process. */
const parent = `
  import { spawn } from 'node:child_process';
  import { become } from ${JSON.stringify(join(root, 'scripts/bootstrap/processes.mjs'))};
  const [node, cwd] = [process.execPath, ${JSON.stringify(root)}];
  await become(node, ['--import', 'data:text/javascript,console.log("server", process.pid)', 'src/main.ts'], {
    cwd, env: process.env, parent: process.ppid, comesBack: true,
    afterKill: () => new Promise((resolve) => {
      spawn(node, ['scripts/stop-postgres.ts'], { cwd, stdio: 'inherit', detached: true }).on('close', resolve);
    }),
  });`;

test('the server comes back after kill -9, adopts its PostgreSQL, and leaves none behind when it is stopped', async () => {
  const port = await freePort();
  const { child, output, exited } = launch(['--input-type=module', '-e', parent], {
    PORT: String(port),
    DATA_DIR: dir,
    NODE_ENV: undefined,
  });
  const servers = () => [...output().matchAll(/^server (\d+)$/gm)].map(([, pid]) => Number(pid));
  const readies = () => output().match(/Holdfast is ready/g)?.length ?? 0;
  const postmaster = async () => {
    const text = await readFile(join(dir, 'postgres/data/postmaster.pid'), 'utf8').catch(() => '');
    return Number(text.split('\n')[0]);
  };
  const killServer = () => process.kill(servers().at(-1) as number, 'SIGKILL');
  const patient = { timeoutMs: 120_000 };

  await waitFor('the first start', () => readies() === 1, patient);
  const postgres = await postmaster();
  expect(postgres).toBeGreaterThan(0);
  killServer();
  await waitFor('the second start', () => readies() === 2, patient);
  expect(output()).toMatch(
    /^Holdfast ended unexpectedly: it was killed \(SIGKILL\), by somebody or because the machine had no memory left\. It starts again in 1 s\.$/m,
  );
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  expect(await postmaster()).toBe(postgres);

  killServer();
  await waitFor('the longer wait', () => output().includes('It starts again in 2 s.'), patient);
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  expect(servers()).toHaveLength(2);
  expect(await postmaster()).toBe(0);
}, 300_000);

test('a server that never was ready does not start again', async () => {
  const { output, exited } = launch(['--input-type=module', '-e', parent], {
    PORT: 'none',
    DATA_DIR: dir,
    NODE_ENV: undefined,
  });
  expect(await exited).toBe(1);
  expect(output()).not.toContain('starts again');
});
