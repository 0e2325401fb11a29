import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';

export interface FoundKeys {
  /** As ENCRYPTION_KEYS has them. */
  keys: string;
  /** Path of keys that were created just now: the operator should keep a copy. */
  createdAt: string | undefined;
}

/**
 * The keys from the environment, else from a file under the data directory that is made on the first start. Processes
 * that start at once agree on one file: a complete one is linked into place, and only the first link succeeds.
 */
export async function findEncryptionKeys(config: Pick<Config, 'encryptionKeys' | 'dataDir'>): Promise<FoundKeys> {
  if (config.encryptionKeys !== undefined) return { keys: config.encryptionKeys, createdAt: undefined };
  const path = join(config.dataDir, 'encryption-keys');
  const known = await readKeys(path);
  if (known !== undefined) return { keys: known, createdAt: undefined };
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`k1:${randomBytes(32).toString('base64')}\n`);
    await file.sync(); // a secret sealed with a key that a power cut takes away is lost
  } finally {
    await file.close();
  }
  let createdAt: string | undefined = path;
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    createdAt = undefined;
  } finally {
    await rm(draft);
  }
  const keys = await readKeys(path);
  if (keys === undefined) throw new Error(`${path} went away while we started`);
  return { keys, createdAt };
}

async function readKeys(path: string): Promise<string | undefined> {
  try {
    const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim());
    return lines.filter((line) => line !== '').join(',');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
