import type { ConnectionId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { CalendarProvider, Credential } from '#providers/port.ts';
import { openProvider } from '#providers/registry.ts';
import { loadProviderContext } from './load-provider-context.ts';
import { secretPlace } from './rules.ts';
import type { Connection } from './store/connections.ts';

interface Opened {
  version: string;
  provider: CalendarProvider;
}

const opened = new WeakMap<App['db'], Map<ConnectionId, Opened>>();

/** The adapter of an account, kept open until its credential or address changes. */
export async function openAccount(
  app: Pick<App, 'db' | 'keyring' | 'fetch' | 'clock'>,
  connection: Connection,
): Promise<CalendarProvider> {
  const ofApp = opened.get(app.db) ?? new Map<ConnectionId, Opened>();
  opened.set(app.db, ofApp);
  const version = `${connection.secret} ${connection.baseUrl} ${connection.addresses.join()}`;
  const held = ofApp.get(connection.id);
  if (held?.version === version) return held.provider;
  await held?.provider.close();
  const provider = openProvider(
    {
      provider: connection.provider,
      profile: connection.profile,
      baseUrl: connection.baseUrl,
      credential: credentialOf(app, connection),
      selfAddresses: connection.addresses,
    },
    await loadProviderContext(app),
  );
  ofApp.set(connection.id, { version, provider });
  return provider;
}

function credentialOf(app: Pick<App, 'keyring'>, connection: Connection): Credential {
  const secret = app.keyring.open(connection.secret, secretPlace(connection.id));
  if (connection.provider === 'ics') return { kind: 'address', url: secret };
  return { kind: 'password', username: connection.username, password: secret };
}
