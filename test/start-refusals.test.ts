import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from './harness/free-port.ts';

/** A start that cannot work says why in one sentence, and what to do. */

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hf-start-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function start(databaseUrl: string): Promise<{ code: number; said: string }> {
  const env = { NODE_ENV: 'production', PORT: '0', HOST: '127.0.0.1', DATA_DIR: dir, DATABASE_URL: databaseUrl };
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
