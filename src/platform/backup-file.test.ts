import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Part, readBackup, readBackupHeader, verifyBackup, writeBackup } from './backup-file.ts';
import { createKeyring } from './crypto.ts';

const key = (name: string) => `${name}:${randomBytes(32).toString('base64')}`;
const mine = key('k1');
const seal = { keyring: createKeyring(mine) };
const about = { takenAt: '2026-11-22T15:00:00.000Z', migrations: ['0000_platform'] };

let dir: string;
let whole: Buffer;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-backup-'));
  whole = await readFile(await write('first.backup'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function* bytes(...chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

/** Random rows do not compress: the file has several frames. */
async function* parts(rows = 4000): AsyncGenerator<Part> {
  const lines = Array.from({ length: rows }, () => `${randomBytes(24).toString('base64')}\n`);
  yield { head: { table: 'a.b', columns: ['c'] }, body: bytes(...lines) };
  yield { head: { sequence: 'a.s', next: '7' }, body: bytes() };
  yield { head: { file: 'simulated/google' }, body: bytes('{"world":', '1}') };
}

async function write(name: string): Promise<string> {
  const path = join(dir, name);
  await writeBackup(path, about, seal, parts());
  return path;
}

test('a backup file is read back part by part and leaves no temporary file', async () => {
  const path = await write('whole.backup');
  const found: [unknown, number][] = [];
  const summary = await readBackup(path, seal, async (head, body) => {
    let length = 0;
    for await (const chunk of body) length += chunk.length;
    found.push([head, length]);
  });
  expect(found).toEqual([
    [{ table: 'a.b', columns: ['c'] }, 4000 * 33],
    [{ sequence: 'a.s', next: '7' }, 0],
    [{ file: 'simulated/google' }, 11],
  ]);
  expect(summary).toMatchObject({ tables: 1, rows: 4000, files: ['simulated/google'], header: about });
  expect(summary.bytes).toBe((await readFile(path)).length);
  expect((await readdir(dir)).filter((name) => name.startsWith('whole'))).toEqual(['whole.backup']);
});

test('a backup header is readable without the key, and its content is not', async () => {
  const path = await write('sealed.backup');
  expect(await readBackupHeader(path)).toMatchObject({ ...about, key: 'k1' });
  expect((await readFile(path)).includes('simulated')).toBe(false);
  await expect(verifyBackup(path, { keyring: createKeyring(key('k1')) })).rejects.toThrow(
    'another key with the same name',
  );
  await expect(verifyBackup(path, { keyring: createKeyring(key('k2')) })).rejects.toThrow(
    'the key k1, which is missing here',
  );
  await expect(verifyBackup(path, { passphrase: 'a long passphrase' })).rejects.toThrow('not with a passphrase');
  const older = { keyring: createKeyring(`${key('k2')},${mine}`) };
  expect((await verifyBackup(path, older)).rows).toBe(4000);
});

test('a backup opens only with the passphrase that sealed it', async () => {
  const path = join(dir, 'passphrase.backup');
  await writeBackup(path, about, { passphrase: 'correct horse battery' }, parts(3));
  expect((await verifyBackup(path, { passphrase: 'correct horse battery' })).rows).toBe(3);
  await expect(verifyBackup(path, { passphrase: 'correct horse' })).rejects.toThrow('damaged');
  await expect(verifyBackup(path, seal)).rejects.toThrow('BACKUP_PASSPHRASE');
});

describe('a changed backup file', () => {
  const spoiled = async (name: string, spoil: (file: Buffer) => Buffer) => {
    const path = join(dir, `${name}.backup`);
    await writeFile(path, spoil(whole));
    return verifyBackup(path, seal);
  };
  const header = (whole: Buffer) => whole.indexOf(10) + 1;

  test('a truncated backup is refused, also when it ends at a frame', async () => {
    const cuts = [1, 100, 70_000];
    for (const cut of cuts) {
      await expect(spoiled(`cut-${cut}`, (whole) => whole.subarray(0, whole.length - cut))).rejects.toThrow('damaged');
    }
    const atFrame = (whole: Buffer) => {
      const first = header(whole);
      return whole.subarray(0, first + 5 + whole.readUInt32BE(first));
    };
    await expect(spoiled('cut-frame', atFrame)).rejects.toThrow('damaged');
  });

  test('a backup with one flipped bit anywhere is refused', async () => {
    for (let at = 0; at < 10; at += 1) {
      const turn = (whole: Buffer) => {
        const copy = Buffer.from(whole);
        const place = header(whole) + Math.floor(((whole.length - header(whole) - 1) * at) / 9);
        copy[place] = (copy[place] ?? 0) ^ 1;
        return copy;
      };
      await expect(spoiled(`bit-${at}`, turn)).rejects.toThrow('damaged');
    }
  });

  test('a backup with a changed header, swapped frames, or appended bytes is refused', async () => {
    const date = (whole: Buffer) =>
      Buffer.concat([
        Buffer.from(whole.toString('utf8', 0, header(whole)).replace('15:00', '16:00')),
        whole.subarray(header(whole)),
      ]);
    await expect(spoiled('date', date)).rejects.toThrow('damaged');
    const swap = (whole: Buffer) => {
      const start = header(whole);
      const size = 5 + whole.readUInt32BE(start);
      const frames = [whole.subarray(start + size, start + 2 * size), whole.subarray(start, start + size)];
      return Buffer.concat([whole.subarray(0, start), ...frames, whole.subarray(start + 2 * size)]);
    };
    await expect(spoiled('swap', swap)).rejects.toThrow('damaged');
    await expect(spoiled('more', (whole) => Buffer.concat([whole, Buffer.from('x')]))).rejects.toThrow('damaged');
    await expect(spoiled('other', () => Buffer.from('{"format":"zip"}\n'))).rejects.toThrow('no backup of Holdfast');
    await expect(spoiled('noise', () => randomBytes(5000))).rejects.toThrow(/no backup|damaged/);
  });
});

test('a backup that fails while being written leaves no file', async () => {
  async function* broken(): AsyncGenerator<Part> {
    yield* parts(5);
    throw new Error('the database went away');
  }
  await expect(writeBackup(join(dir, 'none.backup'), about, seal, broken())).rejects.toThrow('went away');
  expect((await readdir(dir)).filter((name) => name.startsWith('none'))).toEqual([]);
  await expect(verifyBackup(join(dir, 'none.backup'), seal)).rejects.toThrow('is not there');
});
