import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';
import { makeDirectory } from './make-directory.ts';

/**
 * Makes the data directory and makes sure that this user may use it, and what is in it. Nothing is needed where both the
 * database and the keys come from elsewhere.
 *
 * *Errors*: ConfigError.
 */
export async function prepareDataDir(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'encryptionKeys'>,
): Promise<void> {
  const { dataDir, databaseUrl, encryptionKeys } = config;
  if (databaseUrl !== undefined && encryptionKeys !== undefined) return;
  const attempt = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EPERM') {
        if (!existsSync(dataDir))
          throw new ConfigError(`DATA_DIR ${dataDir} cannot be created by this user: choose another`);
        throw new ConfigError(
          `DATA_DIR ${dataDir} belongs to another user: start Holdfast as that user, or give it to this one with chown -R`,
        );
      }
      if (code === 'ENOENT')
        throw new ConfigError(`DATA_DIR ${dataDir} cannot be created there: choose a path in another file system`);
      throw new ConfigError(`DATA_DIR ${dataDir} is not usable (${code}): expected a directory that can be written to`);
    }
  };
  await attempt(makeDirectory(dataDir));
  await attempt(access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK));
  for (const name of ['encryption-keys', 'postgres']) {
    await attempt(
      access(join(dataDir, name), constants.R_OK | constants.W_OK).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error; // not made yet
      }),
    );
  }
}
