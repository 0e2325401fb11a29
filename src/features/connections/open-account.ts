import { randomBytes } from 'node:crypto';
import type { ConnectionId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { createMirrorSigner } from '#platform/mirror-signer.ts';
import type { MirrorSigner } from '#platform/mirror-signer.ts';
import { caldavHttpOver } from '#providers/caldav/undici-http.ts';
import type { CalendarProvider } from '#providers/port.ts';
import { openProvider } from '#providers/registry.ts';
import type { ProviderContext } from '#providers/registry.ts';
import type { Connection } from './store/connections.ts';
import { findOrInsertMirrorSecret } from './store/connections.ts';

type Parts = Pick<App, 'db' | 'keyring' | 'fetch' | 'clock'>;

const mirrorSecretPlace = { table: 'connections.install', row: 'true', column: 'mirror_secret' };
const signers = new WeakMap<App['db'], Promise<MirrorSigner>>();

/** Signs and recognises this install's blocks. The secret is made once and the same in every process. */
export function loadMirrorSigner(app: Pick<App, 'db' | 'keyring'>): Promise<MirrorSigner> {
  let signer = signers.get(app.db);
  if (signer === undefined) {
    const candidate = app.keyring.seal(randomBytes(32).toString('base64'), mirrorSecretPlace);
    signer = findOrInsertMirrorSecret(app.db, candidate).then((sealed) =>
      createMirrorSigner(Buffer.from(app.keyring.open(sealed, mirrorSecretPlace), 'base64')),
    );
    // a failure (database away) is not remembered
    signer.catch(() => signers.delete(app.db));
    signers.set(app.db, signer);
  }
  return signer;
}

export async function providerContext(app: Parts): Promise<ProviderContext> {
  return {
    caldavHttp: caldavHttpOver(app.fetch.dispatcher),
    tags: await loadMirrorSigner(app),
    nowMs: () => app.clock.nowMs(),
  };
}

interface Opened {
  version: string;
  provider: CalendarProvider;
}

const opened = new WeakMap<App['db'], Map<ConnectionId, Opened>>();

/** The adapter of an account, kept open until its credential or address changes. */
export async function openAccount(app: Parts, connection: Connection): Promise<CalendarProvider> {
  let ofApp = opened.get(app.db);
  if (ofApp === undefined) opened.set(app.db, (ofApp = new Map()));
  const version = `${connection.secret} ${connection.baseUrl} ${connection.addresses.join()}`;
  const held = ofApp.get(connection.id);
  if (held?.version === version) return held.provider;
  await held?.provider.close();
  const provider = openProvider(
    {
      provider: connection.provider,
      profile: connection.profile,
      baseUrl: connection.baseUrl,
      username: connection.username,
      password: app.keyring.open(connection.secret, secretPlace(connection.id)),
      selfAddresses: connection.addresses,
    },
    await providerContext(app),
  );
  ofApp.set(connection.id, { version, provider });
  return provider;
}

export const secretPlace = (connectionId: string) => ({
  table: 'connections.connections',
  row: connectionId,
  column: 'secret',
});
