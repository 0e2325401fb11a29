import type { ProviderError } from '#kernel/errors.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { AccessTokens, CalendarProvider, Credential } from '#providers/port.ts';
import type { RequestGate } from '#providers/registry.ts';
import { gateOf, isOAuthProvider, oauthServices, openProvider } from '#providers/registry.ts';
import { findOAuthAccess } from './find-oauth-access.ts';
import { loadBaseUrl } from './load-base-url.ts';
import { loadProviderContext } from './load-provider-context.ts';
import { openAccessTokens } from './open-access-tokens.ts';
import { notUsable } from './rules/grant-failures.ts';
import { secretPlace } from './rules.ts';
import type { Connection } from './store/connections.ts';

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
  const version = `${connection.secret ?? connection.grantNo} ${baseUrl} ${connection.addresses.join()}`;
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
      credential: await loadCredential(app, connection),
      ...(gate === null ? {} : { gate }),
      selfAddresses: connection.addresses,
    },
    await loadProviderContext(app),
  );
  ofApp.set(connection.id, { version, provider, gate });
  return provider;
}

async function loadCredential(app: OpenerApp, connection: Connection): Promise<Credential> {
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

/** This install cannot sign in there, so it does not call with what it still holds either. */
const noTokens = (error: ProviderError): AccessTokens => ({
  get: () => Promise.reject(error),
  refuse: () => undefined,
});
