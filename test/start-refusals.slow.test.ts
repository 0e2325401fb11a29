import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from './harness/free-port.ts';
import { killAll, spawnHoldfast } from './harness/spawn-holdfast.ts';
import { cloneTemplate } from './harness/test-cluster.ts';

/** Messages of a start. A failing start says why in one sentence, and names the remedy. */

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hf-start-'));
});
afterAll(async () => {
  killAll();
  await rm(dir, { recursive: true, force: true });
});

async function start(databaseUrl: string, port = 0): Promise<{ code: number; said: string }> {
  const env = { NODE_ENV: 'production', PORT: `${port}`, HOST: '127.0.0.1', DATA_DIR: dir, DATABASE_URL: databaseUrl };
  const main = join(import.meta.dirname, '../src/main.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [main], { env, cwd: dir }, (error, _, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stderr }),
    );
  });
}

test('a start without an answer from its database names the address and the setting', async () => {
  const port = await freePort();
  expect(await start(`postgres://ada:secret@127.0.0.1:${port}/holdfast`)).toEqual({
    code: 1,
    said: `No PostgreSQL answers at 127.0.0.1:${port}: start it, or correct DATABASE_URL\n`,
  });
  expect(await start('postgres://ada:secret@nowhere.invalid/holdfast')).toEqual({
    code: 1,
    said: 'No PostgreSQL answers at nowhere.invalid: start it, or correct DATABASE_URL\n',
  });
});

test('a start with a database that does not exist names it', async () => {
  const url = new URL(inject('clusterUrl'));
  url.pathname = '/nothing';
  const { code, said } = await start(url.href);
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(/^PostgreSQL at \S* ?has no database nothing: create it, or correct DATABASE_URL\n$/),
  ]);
});

test('a start whose port another Holdfast has names the address of that one', async () => {
  const database = await cloneTemplate(inject('clusterUrl'));
  const port = await freePort();
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dir,
    PORT: `${port}`,
    PUBLIC_URL: 'https://calendar.example.org',
  };
  const first = await spawnHoldfast({ env });
  expect(await start(database.url, port)).toEqual({
    code: 1,
    said: `Holdfast already runs at https://calendar.example.org: open it, or choose another port, e.g. PORT=${port + 1} npm start\n`,
  });
  first.kill('SIGTERM');
  await first.exited;
  await database.close();
});

test('a start whose port another program has says so, and names a free one', async () => {
  const database = await cloneTemplate(inject('clusterUrl'));
  const port = await freePort();
  const other = createServer((_, response) => response.end('{}')).listen(port, '127.0.0.1');
  await once(other, 'listening');
  expect(await start(database.url, port)).toEqual({
    code: 1,
    said: `Port ${port} is taken: stop what uses it, or choose another port, e.g. PORT=${port + 1} npm start\n`,
  });
  other.close();
  await database.close();
});

test('the first start logs one line about its new database', async () => {
  const name = `empty_${process.pid}`;
  const admin = new pg.Client(inject('clusterUrl'));
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = inject('clusterUrl').replace('/postgres?', `/${name}?`);
  const first = await spawnHoldfast({ env: { DATABASE_URL: url, DATA_DIR: dir, LOG_LEVEL: 'info' } });
  const before = first.output().split('Holdfast is ready')[0] ?? '';
  first.kill('SIGTERM');
  await first.exited;
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
  expect(before.match(/Created the database/g)).toHaveLength(1);
  expect(before).not.toMatch(/slow query|0001_/);
});
