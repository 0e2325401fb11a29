import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { createKeyring } from './crypto.ts';
import { findEncryptionKeys } from './encryption-keys.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hf-keys-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('encryption key', () => {
  it('the encryption key is created once and for its owner only, even when several processes start together', async () => {
    const found = await Promise.all(
      Array.from({ length: 8 }, () => findEncryptionKeys({ encryptionKeys: undefined, dataDir })),
    );
    expect(new Set(found.map(({ keys }) => keys)).size).toBe(1);
    expect(found.filter(({ createdAt }) => createdAt !== undefined)).toHaveLength(1);
    expect(await readdir(dataDir)).toEqual(['encryption-keys']);
    expect((await stat(join(dataDir, 'encryption-keys'))).mode & 0o777).toBe(0o600);
    const again = await findEncryptionKeys({ encryptionKeys: undefined, dataDir });
    expect(again).toEqual({ keys: found[0]?.keys, createdAt: undefined });
  });

  it('a created encryption key passes the checks of the configuration', async () => {
    const { keys } = await findEncryptionKeys({ encryptionKeys: undefined, dataDir });
    expect(loadConfig({ ENCRYPTION_KEYS: keys }).encryptionKeys).toBe(keys);
    expect(createKeyring(keys).currentKeyName).toBe('k1');
    expect(await readFile(join(dataDir, 'encryption-keys'), 'utf8')).toBe(`${keys}\n`);
  });

  it('the encryption key comes from the environment when it is set there', async () => {
    expect(await findEncryptionKeys({ encryptionKeys: 'k9:abc', dataDir })).toEqual({
      keys: 'k9:abc',
      createdAt: undefined,
    });
    expect(await readdir(dataDir)).toEqual([]);
  });
});
