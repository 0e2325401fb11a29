import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/harness/test-app.ts';
import type { TestDatabase } from '../../test/harness/test-cluster.ts';
import type { BackupSeal } from './backup-file.ts';
import { backUpInto } from './backup-job.ts';
import { createKeyring } from './crypto.ts';
import { type DatabaseHandle, openDatabase } from './db.ts';
import { createLog, type Log } from './log.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';

const seal: BackupSeal = { keyring: createKeyring(`test:${randomBytes(32).toString('base64')}`) };
let dir: string;
let database: TestDatabase;
let handle: DatabaseHandle;
let log: Log;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-full-disk-'));
  database = await createTestDatabase();
  log = await createLog({ level: 'silent', format: 'json' });
  handle = openDatabase({ url: database.url, log });
  // one large table of rows that do not compress
  await sql`create schema large`.execute(handle.db);
  await sql`create table large.rows (text text)`.execute(handle.db);
  await sql`insert into large.rows select md5(n::text) || md5((-n)::text) from generate_series(1, 60000) n`.execute(
    handle.db,
  );
  process.on('uncaughtException', note);
});
const unheard: unknown[] = [];
const note = (error: unknown) => unheard.push(error);
afterEach(() => expect(unheard).toEqual([]));
afterAll(async () => {
  process.off('uncaughtException', note);
  await handle.close();
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

/** A file on a disk that has room for so many bytes. */
function onSmallDisk(roomBytes: number) {
  return (draft: string) => {
    const file = createWriteStream(draft, { flags: 'wx' });
    let left = roomBytes;
    return new Writable({
      write(chunk: Buffer, _encoding, done) {
        left -= chunk.length;
        if (left >= 0) file.write(chunk, done);
        else done(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
      },
      final: (done) => void file.end(done),
      destroy(error, done) {
        file.destroy();
        done(error);
      },
    });
  };
}

/** Waits for events that are emitted some turns after the connection ended. */
async function letTurnsPass(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
}

test('a full backup disk ends no server: the backup fails at any byte and names the disk of BACKUP_DIR', async () => {
  const target = join(dir, 'backups');
  const install = { databaseUrl: database.url, dataDir: dir, seal };
  const whole = await makeBackup({ ...install, path: join(dir, 'whole.backup') });
  expect(whole.bytes).toBeGreaterThan(1_000_000);
  for (const [from, to] of [
    [0, 0],
    [0.2, 0.8],
    [0.97, 0.999],
  ] as const) {
    for (let run = 0; run < 20; run += 1) {
      const room = Math.floor(whole.bytes * (from + ((to - from) * run) / 20));
      await expect(
        backUpInto(target, { ...install, openTarget: onSmallDisk(room) }, handle.db, log),
        `${room} bytes`,
      ).rejects.toMatchObject({
        name: 'BackupError',
        message: `The disk of BACKUP_DIR (${target}) is full. No backup was made.`,
      });
      await letTurnsPass();
    }
  }
  expect(await readdir(target)).toEqual([]);
});

test('a restore whose connection ends at any table fails alone', async () => {
  const path = join(dir, 'to-restore.backup');
  const source = await createTestDatabase();
  await makeBackup({ databaseUrl: source.url, dataDir: dir, seal, path });
  await source.close();
  const empty = await createTestDatabase();
  const other = openDatabase({ url: empty.url, log, applicationName: 'test' });
  try {
    for (const after of [1, 20, 60]) {
      let ending: Promise<unknown> | undefined;
      const onProgress = ({ tables }: { tables: number }) => {
        if (tables !== after) return;
        ending = sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'holdfast restore'`.execute(other.db);
      };
      await expect(
        restoreBackup({ path, databaseUrl: empty.url, dataDir: dir, seal, sendsWaiting: false, onProgress }),
      ).rejects.toThrow();
      await ending;
      await letTurnsPass();
    }
  } finally {
    await other.close();
    await empty.close();
  }
});
