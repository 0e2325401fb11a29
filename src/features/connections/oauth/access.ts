import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSimulation } from '#features/simulation/public.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Config } from '#platform/config.ts';
import { refreshGrant, revokeGrant } from '#platform/oauth.ts';
import { type OAuthAccess, type OAuthClient, OAuthError } from '#platform/oauth-server.ts';
import type { AccessTokens } from '#providers/port.ts';
import { isOAuthProvider, type OAuthProviderName, oauthAccessOf } from '#providers/registry.ts';
import { revocationPlace, tokenPlace } from '../rules.ts';
import { deleteRevocation, findRevocation } from '../store/revocations.ts';
import { acquireLease, findTokens, refuseGrant, releaseLease, type TokenRow, updateTokens } from '../store/tokens.ts';
import { clientFailure, grantFailure, serverFailure } from './rules.ts';

interface UsableAccess extends OAuthAccess {
  client: OAuthClient;
}

interface AccountKind {
  provider: OAuthProviderName;
  /** `simulated`: at the provider that this process emulates. */
  profile: string;
}

/** Made once per process and address: a server's signing keys are kept with it. */
const known = new WeakMap<object, UsableAccess>();

/**
 * How accounts of this kind sign in, or null where this install cannot: the operator has not registered it at the
 * provider, or simulated accounts are switched off.
 */
export async function findOAuthAccess(
  app: Pick<App, 'config' | 'log' | 'clock'>,
  { provider, profile }: AccountKind,
): Promise<UsableAccess | null> {
  if (profile === 'simulated') {
    const simulation = await openSimulation(app, provider);
    return simulation && accessOnce(simulation, () => accessOf(provider, simulation.endpoints, simulation));
  }
  const registration = app.config[provider];
  if (registration === undefined) return null;
  return accessOnce(registration, () => accessOf(provider, app.config.endpoints[provider], registration));
}

function accessOnce(key: object, make: () => UsableAccess): UsableAccess {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

function accessOf(
  provider: OAuthProviderName,
  endpoints: Config['endpoints']['google'],
  registration: { clientId: string; clientSecret: string; tenant?: string },
): UsableAccess {
  const access = oauthAccessOf(provider, endpoints, registration.tenant);
  const { clientId, clientSecret } = registration;
  return { ...access, client: { server: access.server, clientId, clientSecret } };
}

/** A token that is used must outlive the request it is used for. */
const spareMs = 60_000;
/** Longer than a refresh may take, so that a lease ends only with its process. */
const leaseSeconds = 40;
/** For all of `get`: somebody else's refresh, then perhaps our own. */
const patienceMs = 60_000;

type TokenApp = Pick<App, 'db' | 'keyring' | 'apiFetch' | 'clock' | 'log'>;

interface TokenSubject {
  connectionId: ConnectionId;
  /** The provider's name, for sentences: `Google`. */
  service: string;
  /** Our registration at its server; null where this install has none any more. */
  findClient(): Promise<OAuthClient | null>;
}

/**
 * The access tokens of an account. One process refreshes at a time, by a lease in the row; what it was given is stored
 * before anybody uses it. No call is made inside a transaction, and a refresh whose answer is lost is asked for again
 * with the same refresh token.
 */
export function openAccessTokens(app: TokenApp, subject: TokenSubject): AccessTokens {
  return new AccountTokens(app, subject);
}

interface Held {
  token: string;
  expiresMs: number;
}

class AccountTokens implements AccessTokens {
  readonly #app: TokenApp;
  readonly #subject: TokenSubject;
  #held: Held | null = null;
  #refused: string | null = null;
  #renewing: Promise<Held> | null = null;

  constructor(app: TokenApp, subject: TokenSubject) {
    this.#app = app;
    this.#subject = subject;
  }

  async get(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (this.#held !== null && this.#isGood(this.#held)) return this.#held.token;
    // one for all callers of this process; none of them can take it from the others by giving up
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    const held = await untilAborted(this.#renewing, signal);
    return held.token;
  }

  refuse(token: string): void {
    this.#refused = token;
    if (this.#held?.token === token) this.#held = null;
  }

  #isGood({ token, expiresMs }: Held): boolean {
    return token !== this.#refused && expiresMs - spareMs > this.#app.clock.nowMs();
  }

  async #renew(): Promise<Held> {
    const { db } = this.#app;
    const { connectionId, service } = this.#subject;
    const endMs = performance.now() + patienceMs;
    for (let waitMs = 20; ; waitMs = Math.min(waitMs * 2, 500)) {
      const row = await findTokens(db, connectionId);
      if (row === null) throw new ProviderError('auth', 'NOT_CONNECTED', 'This account is no longer connected.');
      if (row.refusedCode !== null) {
        throw new ProviderError('auth', row.refusedCode, row.refusedMessage ?? row.refusedCode);
      }
      const stored = { token: this.#openAccess(row), expiresMs: row.accessExpiresMs };
      if (this.#isGood(stored)) {
        this.#held = stored;
        return stored;
      }
      const lease = randomUUID();
      if (await acquireLease(db, connectionId, { revision: row.revision, lease, seconds: leaseSeconds })) {
        const fresh = await this.#refresh(row, lease);
        if (fresh !== null) return fresh;
      } else if (performance.now() > endMs) {
        throw new ProviderError('transient', 'TOKEN_TIMEOUT', `${service} has not renewed our access yet.`);
      }
      await sleep(waitMs);
    }
  }

  /** Null where somebody else was faster, or the person has granted anew: look again. */
  async #refresh(row: TokenRow, lease: string): Promise<Held | null> {
    const app = this.#app;
    const { connectionId, service, findClient } = this.#subject;
    try {
      const client = await findClient();
      if (client === null)
        throw new OAuthError('client', 'NO_CLIENT', `This server has no registration at ${service}.`);
      const calls = { fetch: app.apiFetch, nowMs: () => app.clock.nowMs() };
      const before = app.keyring.open(row.refreshToken, tokenPlace(connectionId, 'refresh_token'));
      const grant = await refreshGrant(calls, client, before);
      // stored before it is used: the token it replaces may be worth nothing from now on
      const stored = await updateTokens(app.db, connectionId, row.revision, {
        refreshToken: app.keyring.seal(grant.refreshToken ?? before, tokenPlace(connectionId, 'refresh_token')),
        accessToken: app.keyring.seal(grant.accessToken, tokenPlace(connectionId, 'access_token')),
        accessExpiresMs: grant.accessExpiresMs,
        scopes: [...(grant.scopes ?? row.scopes)],
      });
      if (!stored) return null;
      this.#held = { token: grant.accessToken, expiresMs: grant.accessExpiresMs };
      return this.#held;
    } catch (error) {
      if (!(error instanceof OAuthError)) {
        await releaseLease(app.db, connectionId, lease);
        throw error;
      }
      return await this.#failed(row, lease, error);
    }
  }

  async #failed(row: TokenRow, lease: string, error: OAuthError): Promise<null> {
    const { app, connectionId, service } = { app: this.#app, ...this.#subject };
    if (error.fault === 'grant') {
      const reason = grantFailure(service, error.code);
      // a newer grant of the person would make the refusal outdated
      if (!(await refuseGrant(app.db, connectionId, row.revision, reason))) return null;
      app.log.warn({ connectionId, code: error.code }, 'an account has to be connected again');
      throw new ProviderError('auth', reason.code, reason.message, { cause: error });
    }
    await releaseLease(app.db, connectionId, lease);
    if (error.fault === 'client') {
      app.log.error(
        { service, code: error.code },
        'the provider does not accept our registration: see docs/providers.md',
      );
      const { code, message } = clientFailure(service, error.code);
      throw new ProviderError('transient', code, message, { cause: error, retryAfterMs: 300_000 });
    }
    const { code, message } = serverFailure(service);
    throw new ProviderError('transient', code, message, { cause: error });
  }

  #openAccess(row: TokenRow): string {
    return this.#app.keyring.open(row.accessToken, tokenPlace(this.#subject.connectionId, 'access_token'));
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Tells a provider that access is not needed any more, where it can be told. The token is forgotten in any case, at the
 * latest with the last attempt.
 */
export async function revokeAccess(app: App, id: string, isLast: boolean): Promise<void> {
  const row = await findRevocation(app.db, id);
  if (row === null) return;
  const { provider, profile } = row;
  const access = isOAuthProvider(provider) ? await findOAuthAccess(app, { provider, profile }) : null;
  if (access !== null && !row.isShared) {
    try {
      const calls = { fetch: app.apiFetch, nowMs: () => app.clock.nowMs() };
      await revokeGrant(calls, access.client, app.keyring.open(row.token, revocationPlace(id)));
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      app.log.warn({ provider, code: error.code, isLast }, 'access was not given back to its provider');
      if (error.fault === 'transient' && !isLast) throw error;
    }
  }
  await deleteRevocation(app.db, id);
}
