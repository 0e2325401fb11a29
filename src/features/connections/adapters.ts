import { randomBytes } from 'node:crypto';
import { findConfirmedAddress } from '#features/accounts/people/public.ts';
import type { ProviderError } from '#kernel/errors.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { createMirrorSigner, type MirrorSigner } from '#platform/mirror-signer.ts';
import type { AccessTokens, CalendarProvider, Credential } from '#providers/port.ts';
import {
  caldavHttpOver,
  capabilitiesOf,
  gateOf,
  isOAuthProvider,
  oauthServices,
  openProvider,
  type ProviderContext,
  type RequestGate,
} from '#providers/registry.ts';
import { findOAuthAccess, openAccessTokens } from './oauth/access.ts';
import { notUsable } from './oauth/rules.ts';
import { secretPlace } from './rules.ts';
import type { Calendar } from './store/calendars.ts';
import { type Connection, findOrInsertMirrorSecret } from './store/connections.ts';

/** Where an account is: its own server, or its provider's API. */
export async function loadBaseUrl(
  app: Pick<App, 'config' | 'log' | 'clock'>,
  { provider, profile, baseUrl }: Connection,
): Promise<string> {
  if (!isOAuthProvider(provider)) return baseUrl ?? '';
  const access = await findOAuthAccess(app, { provider, profile });
  // without a registration no token is given out, so nothing is sent
  return access?.apiUrl ?? 'https://not-registered.invalid';
}

const mirrorSecretPlace = { table: 'connections.install', row: 'true', column: 'mirror_secret' };
const signers = new WeakMap<App['keyring'], Promise<MirrorSigner>>();

/** Signs and recognises this install's blocks. The secret is made once and the same in every process. */
export function loadMirrorSigner(app: Pick<App, 'db' | 'keyring'>): Promise<MirrorSigner> {
  let signer = signers.get(app.keyring);
  if (signer === undefined) {
    const candidate = app.keyring.seal(randomBytes(32).toString('base64'), mirrorSecretPlace);
    signer = findOrInsertMirrorSecret(app.db, candidate).then((sealed) =>
      createMirrorSigner(Buffer.from(app.keyring.open(sealed, mirrorSecretPlace), 'base64')),
    );
    // a failure (database away) is not remembered
    signer.catch(() => signers.delete(app.keyring));
    signers.set(app.keyring, signer);
  }
  return signer;
}

/** The context that every adapter of this process is opened with. */
export async function getProviderContext(
  app: Pick<App, 'db' | 'keyring' | 'connectionFetch' | 'apiFetch' | 'clock'>,
): Promise<ProviderContext> {
  return {
    caldavHttp: caldavHttpOver(app.connectionFetch.dispatcher),
    fetch: app.connectionFetch.request,
    apiFetch: app.apiFetch,
    tags: await loadMirrorSigner(app),
    nowMs: () => app.clock.nowMs(),
  };
}

/** Whether an event in this calendar gets such a meeting: its provider makes them, and for this account or calendar too. */
export const makesConference = (
  calendar: Pick<Calendar, 'conferences'>,
  connection: Connection,
  kind: string,
): boolean => {
  const { conference } = capabilitiesOf(connection);
  return conference !== undefined && conference === kind && (calendar.conferences?.includes(conference) ?? true);
};

interface Opened {
  version: string;
  provider: CalendarProvider;
  gate: RequestGate | null;
}

/** By what all of one process share, whichever database they are given. */
const opened = new WeakMap<App['keyring'], Map<ConnectionId, Opened>>();

type OpenerApp = Pick<App, 'config' | 'db' | 'keyring' | 'connectionFetch' | 'apiFetch' | 'clock' | 'log'>;

/** The adapter of an account, kept open until its credential or address changes; new tokens leave it as it is. */
export async function openAccount(app: OpenerApp, connection: Connection): Promise<CalendarProvider> {
  const ofApp = opened.get(app.keyring) ?? new Map<ConnectionId, Opened>();
  opened.set(app.keyring, ofApp);
  const baseUrl = await loadBaseUrl(app, connection);
  const selfAddresses = await loadSelfAddresses(app, connection);
  const version = `${connection.secret ?? connection.grantNo} ${baseUrl} ${selfAddresses.join()}`;
  const held = ofApp.get(connection.id);
  if (held?.version === version) return held.provider;
  await held?.provider.close();
  // new tokens do not give an account a new quota
  const gate = held?.gate ?? gateOf(connection, () => app.clock.monotonicMs());
  const provider = openProvider(
    {
      provider: connection.provider,
      profile: connection.profile,
      baseUrl,
      credential: await getCredential(app, connection),
      ...(gate === null ? {} : { gate }),
      selfAddresses,
    },
    await getProviderContext(app),
  );
  ofApp.set(connection.id, { version, provider, gate });
  return provider;
}

/**
 * The addresses of an account's owner. Where its provider tells none, those that its person has confirmed count: a feed may be
 * somebody else's, and a CalDAV server may name its users without an address.
 */
async function loadSelfAddresses({ db }: OpenerApp, { userId, addresses }: Connection): Promise<string[]> {
  if (addresses.length > 0) return addresses;
  const confirmed = await findConfirmedAddress(db, userId);
  return confirmed === null ? [] : [confirmed];
}

async function getCredential(app: OpenerApp, connection: Connection): Promise<Credential> {
  const { id, provider, profile, secret, username } = connection;
  if (isOAuthProvider(provider)) {
    const findClient = async () => (await findOAuthAccess(app, { provider, profile }))?.client ?? null;
    const service = oauthServices[provider];
    if ((await findClient()) === null) return { kind: 'oauth', tokens: noTokens(notUsable(service, profile)) };
    return { kind: 'oauth', tokens: openAccessTokens(app, { connectionId: id, service, findClient }) };
  }
  if (secret === null) return { kind: 'none' };
  const opened = app.keyring.open(secret, secretPlace(id));
  if (provider === 'ics') return { kind: 'address', url: opened };
  return { kind: 'password', username: username ?? '', password: opened };
}

/** Tokens of an install that cannot sign in there: its stored tokens are not used either. */
const noTokens = (error: ProviderError): AccessTokens => ({
  get: () => Promise.reject(error),
  refuse: () => undefined,
});
