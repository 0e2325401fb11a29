import { join } from 'node:path';
import { type Config, ConfigError, loadConfig, loadEnvFile } from '#platform/config.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { findEncryptionKeys } from '#platform/encryption-keys.ts';
import { createLog } from '#platform/log.ts';
import { examine } from './doctor/examine.ts';
import { printFinding } from './doctor/finding.ts';

// `npm run doctor`: says what of an install works, what does not, and how to mend it. Changes nothing; may run beside a
// running Holdfast. Ends with 1 where something is bad.
loadEnvFile(join(import.meta.dirname, '../.env'));
const config = readConfig();
if (config !== null) {
  const log = await createLog({ level: 'silent', format: 'json' });
  const postgres =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dir: join(config.dataDir, 'postgres'), log })
      : undefined;
  try {
    const { keys } = await findEncryptionKeys(config);
    const databaseUrl = config.databaseUrl ?? postgres?.url ?? '';
    console.log(printFinding({ subject: 'Settings', state: 'ok', says: 'every setting can be read' }));
    for await (const finding of examine(config, { databaseUrl, encryptionKeys: keys, log })) {
      console.log(printFinding(finding));
      if (finding.state === 'bad') process.exitCode = 1;
    }
  } finally {
    await postgres?.close();
  }
}

function readConfig(): Config | null {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.log(
      printFinding({ subject: 'Settings', state: 'bad', says: error.message, mend: '.env.example explains it.' }),
    );
    process.exitCode = 1;
    return null;
  }
}
