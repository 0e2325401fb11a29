import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from './config.ts';
import { prepareDataDir } from './data-dir.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'hf-data-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const own = (dataDir: string) => ({ dataDir, databaseUrl: undefined, encryptionKeys: undefined });

describe('data directory', () => {
  it('the data directory is created with its parents', async () => {
    await prepareDataDir(own(join(base, 'a/b')));
    await prepareDataDir(own(join(base, 'a/b')));
    expect((await stat(join(base, 'a/b'))).isDirectory()).toBe(true);
  });

  it('a data directory that is a file is refused in one line that names the setting', async () => {
    await writeFile(join(base, 'file'), '');
    const error: unknown = await prepareDataDir(own(join(base, 'file'))).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(/^DATA_DIR .*file.* expected a directory/);
  });

  it.runIf(process.platform === 'linux')('a data directory that cannot be created is told so', async () => {
    await expect(prepareDataDir(own('/sys/holdfast'))).rejects.toThrow(
      'DATA_DIR /sys/holdfast cannot be created by this user: choose another',
    );
  });

  it.runIf(process.platform === 'linux')(
    'a data directory in a file system without new directories is refused',
    async () => {
      await expect(prepareDataDir(own('/proc/x'))).rejects.toThrow('DATA_DIR /proc/x cannot be created there');
      await expect(prepareDataDir(own('/proc/x/y'))).rejects.toThrow('DATA_DIR /proc/x/y cannot be created there');
    },
  );

  it('the data directory is not created when nothing needs it', async () => {
    await prepareDataDir({ dataDir: join(base, 'x'), databaseUrl: 'postgres://h/d', encryptionKeys: 'k:v' });
    await expect(stat(join(base, 'x'))).rejects.toThrow('ENOENT');
  });
});
