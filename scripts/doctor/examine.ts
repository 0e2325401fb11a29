import { createApiFetch } from '#platform/api-fetch.ts';
import type { Config } from '#platform/config.ts';
import { type Database, openDatabase } from '#platform/db.ts';
import type { Log } from '#platform/log.ts';
import { oauthAccessOf, oauthProviders } from '#providers/registry.ts';
import { checkBackup } from './check-backup.ts';
import { checkClock } from './check-clock.ts';
import { checkDatabase } from './check-database.ts';
import { checkMail } from './check-mail.ts';
import { checkProvider } from './check-provider.ts';
import { checkPublicUrl } from './check-public-url.ts';
import { checkSignIn } from './check-sign-in.ts';
import { checkZoneData } from './check-zone-data.ts';
import type { Finding } from './finding.ts';

/** Looks at everything an install needs, one thing after the other; changes nothing. */
export async function* examine(
  config: Config,
  install: { databaseUrl: string; encryptionKeys: string; log: Log },
): AsyncGenerator<Finding> {
  const api = createApiFetch();
  const database = openDatabase({ url: install.databaseUrl, log: install.log });
  try {
    const findings = await checkDatabase(database.db, install.encryptionKeys);
    yield* findings;
    const answers = answering(database.db, findings);
    if (answers !== null && findings[0]?.state === 'ok') yield await checkBackup(config, answers);
    yield await checkClock(answers, witnessOf(config), api.fetch);
    yield checkZoneData(process.versions.tz ?? '', Date.now());
    yield await checkPublicUrl(config, api.fetch);
    for (const provider of oauthProviders) yield* await checkProvider(config, provider, api.fetch);
    for (const provider of ['apple', 'zoho'] as const) {
      const finding = await checkSignIn(config, provider, api.fetch);
      if (finding !== null) yield finding;
    }
    yield* checkMail(config, answers);
    if (config.vapidKey !== undefined)
      yield { subject: 'Devices', state: 'ok', says: 'notices are signed with the key of VAPID_PRIVATE_KEY' };
  } finally {
    await database.close();
    await api.close();
  }
}

const answering = (db: Database, [first]: Finding[]) => (first?.state === 'bad' ? null : db);

/** A server that has to know the time, of a provider that is set up; nobody else is asked. */
function witnessOf(config: Config): string | null {
  const provider = oauthProviders.find((name) => config[name] !== undefined);
  return provider === undefined ? null : oauthAccessOf(provider, config.endpoints[provider]).server.tokenEndpoint;
}
