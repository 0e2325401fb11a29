import { randomUUIDv7 } from 'node:crypto';
import { loadOwner } from '#features/accounts/public.ts';
import { openSimulation } from '#features/simulation/public.ts';
import { AppError, ProviderError, part } from '#kernel/errors.ts';
import type { ConnectionId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, isViolationOf, type Tx } from '#platform/db.ts';
import { finishAuthorization, startAuthorization } from '#platform/oauth.ts';
import { beginJourney, endJourney } from '#platform/oauth-journey.ts';
import { type Grant, type Identity, type OAuthAccess, OAuthError } from '#platform/oauth-server.ts';
import { type BrowserNote, outcomeSeconds } from '#platform/routes.ts';
import { type OAuthProviderName, oauthServices } from '#providers/registry.ts';
import { refreshCalendars } from '../calendars.ts';
import { requireRoom } from '../connections.ts';
import { boundIdentity, tokenPlace } from '../rules.ts';
import {
  findBySubject,
  findConnection,
  findConnectionById,
  insertConnection,
  updateIdentity,
  updateStatus,
} from '../store/connections.ts';
import { insertGrant } from '../store/tokens.ts';
import { findOAuthAccess } from './access.ts';
import {
  clientFailure,
  type JourneyState,
  journeyPurpose,
  type Reason,
  redirectUriOf,
  returnAddress,
  scopesMissing,
  withOutcome,
} from './rules.ts';

/** The address at the provider where this person gives access to a calendar account. *Errors*: also as `requireRoom`. */
export async function startOAuth(
  app: App,
  actor: Actor,
  note: BrowserNote,
  request: { provider: OAuthProviderName; returnUrl?: string | undefined; accountId?: string | undefined },
): Promise<string> {
  const { provider } = request;
  const returnUrl = returnAddress(request.returnUrl, app.config);
  if (returnUrl === null) {
    throw new AppError(
      'invalid',
      'FOREIGN_RETURN',
      `The return address must begin with ${app.config.publicUrl}. Open Holdfast there, then connect.`,
    );
  }
  const known = request.accountId === undefined ? null : await findConnection(app.db, actor, request.accountId);
  if (request.accountId !== undefined && (known === null || known.provider !== provider)) {
    throw new AppError('not-found', 'NOT_FOUND', 'Account not found.');
  }
  const profile = known?.profile ?? 'generic';
  const access = await findOAuthAccess(app, { provider, profile });
  if (access === null) throw new AppError('unavailable', 'NOT_CONFIGURED', notConfigured(provider, profile));
  // check before the consent screen; connections added meanwhile are checked when this one is stored
  if (known === null) await inTransaction(app.db, (tx) => requireRoom(app, tx, actor.userId));
  return beginJourney(app, note, access.client, {
    purpose: journeyPurpose(provider, actor.userId),
    redirectUri: redirectUriOf(app.config.publicUrl, provider),
    scopes: access.scopes,
    loginHint: known?.addresses[0],
    luggage: JSON.stringify({ returnUrl, profile, accountId: known?.id ?? null } satisfies JourneyState),
  });
}

function notConfigured(provider: OAuthProviderName, profile: string): string {
  return profile === 'simulated'
    ? 'Simulated accounts are turned off on this server. Nothing was changed.'
    : `${oauthServices[provider]} isn't set up on this server. Ask your administrator to set it up (see docs/providers.md).`;
}

/** A person is waiting. */
const deadlineMs = 15_000;

interface GrantedAccount {
  provider: OAuthProviderName;
  profile: string;
  /** The account that was to be connected again; null where any will do. */
  accountId: string | null;
}

/**
 * Stores what a person granted, of an account they did not have or of one they had: that keeps its calendars, mirrors
 * and history. `incomplete` says what is missing where they left something unticked.
 *
 * *Errors*: AppError conflict, OTHER_ACCOUNT or LEAVING; as `requireRoom`; nothing is stored then.
 */
export async function saveGrant(
  app: App,
  userId: UserId,
  account: GrantedAccount,
  access: OAuthAccess,
  { grant, identity }: { grant: Grant; identity: Identity },
): Promise<{ id: ConnectionId; incomplete: string | null }> {
  const service = oauthServices[account.provider];
  const { refreshToken } = grant;
  if (refreshToken === null) {
    throw new AppError('unavailable', 'NO_REFRESH_TOKEN', `${service} only gave access for an hour. Connect again.`);
  }
  const granted = new Set((grant.scopes ?? access.scopes).map((scope) => access.normaliseScope(scope)));
  const missing = access.needed.filter(({ scope }) => !granted.has(scope));
  const reason = missing.length > 0 ? scopesMissing(service, missing) : null;
  const keep = async (tx: Tx) => {
    const id = await keepIdentity(app, tx, userId, account, service, identity);
    await insertGrant(tx, id, {
      refreshToken: app.keyring.seal(refreshToken, tokenPlace(id, 'refresh_token')),
      accessToken: app.keyring.seal(grant.accessToken, tokenPlace(id, 'access_token')),
      accessExpiresMs: grant.accessExpiresMs,
      scopes: [...granted],
    });
    if (reason !== null) await updateStatus(tx, id, 'needs-reconnect', reason);
    await app.feed.publish(tx, userId, 'accounts');
    return id;
  };
  const id = await inTransaction(app.db, keep).catch((error: unknown) => {
    // two windows at once: by now the account is there
    if (!isViolationOf(error, 'connections_user_id_provider_profile_subject_key')) throw error;
    return inTransaction(app.db, keep);
  });
  if (reason === null) await listNow(app, id);
  return { id, incomplete: reason?.message ?? null };
}

async function keepIdentity(
  app: App,
  tx: Tx,
  userId: UserId,
  { provider, profile, accountId }: GrantedAccount,
  service: string,
  identity: Identity,
): Promise<ConnectionId> {
  // an emulated provider has another port, and so another name, each time it is started
  const issuer = profile === 'simulated' ? profile : identity.issuer;
  const subject = `${issuer} ${identity.subject}`;
  const address = identity.email ?? identity.userName;
  const { label, addresses } = boundIdentity({
    label: address ?? identity.name ?? `${service} account`,
    addresses: address === null ? [] : [address.toLowerCase()],
  });
  const known = await findBySubject(tx, { userId, provider, profile, subject });
  if (accountId !== null && known?.id !== accountId) {
    const wanted = await findConnectionById(tx, accountId as ConnectionId);
    throw new AppError(
      'conflict',
      'OTHER_ACCOUNT',
      `You signed in as ${label}, but you were reconnecting ${wanted?.label ?? part('another account')}. Choose that account at ${service}, or connect ${label} as a new account.`,
    );
  }
  if (known?.status === 'disconnecting') {
    throw new AppError(
      'conflict',
      'LEAVING',
      `${label} is being disconnected. Connect it again when it has left the list.`,
    );
  }
  const id = known?.id ?? (randomUUIDv7() as string as ConnectionId);
  if (known === null) {
    await requireRoom(app, tx, userId);
    const none = { baseUrl: null, username: null, secret: null };
    await insertConnection(tx, { id, userId, provider, profile, label, ...none, subject, addresses });
  } else {
    await updateIdentity(tx, id, { label, addresses });
  }
  return id;
}

/** Lists the calendars at once, because somebody waits for them. A refused listing is tried again later. */
async function listNow(app: App, id: ConnectionId): Promise<void> {
  try {
    await refreshCalendars(app, id, AbortSignal.timeout(deadlineMs), 'always');
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof Error && error.name === 'TimeoutError')) throw error;
    const reason: Reason =
      error instanceof ProviderError
        ? error
        : {
            code: 'TIMEOUT',
            message: "The provider is slow to list the calendars. We'll keep trying.",
          };
    app.log.info({ connectionId: id, err: error }, 'an account did not tell its calendars');
    const status = error instanceof ProviderError && error.kind === 'auth' ? 'needs-reconnect' : 'error';
    await updateStatus(app.db, id, status, { code: reason.code, message: reason.message });
  }
}

/**
 * Takes in a browser that comes back from a provider, and gives the page to show with how it went. Whatever is wrong,
 * the person is told there; the log has one line, which holds neither code nor state.
 */
export async function finishOAuth(
  app: App,
  actor: Actor,
  note: BrowserNote,
  { provider, parameters }: { provider: OAuthProviderName; parameters: URLSearchParams },
): Promise<string> {
  const { publicUrl } = app.config;
  const service = oauthServices[provider];
  let returnUrl = returnAddress(undefined, app.config) ?? publicUrl;
  const failed = (message: string) => {
    note.leave(message, outcomeSeconds, 'outcome');
    return withOutcome(returnUrl, { connected: provider, status: 'error', message });
  };
  try {
    const arrival = await endJourney(app, note, [journeyPurpose(provider, actor.userId)], parameters);
    const luggage = JSON.parse(arrival.luggage) as JourneyState;
    returnUrl = luggage.returnUrl;
    const { profile, accountId } = luggage;
    const access = await findOAuthAccess(app, { provider, profile });
    if (access === null) throw new OAuthError('client', 'NO_CLIENT', `${service} is not set up on this server.`);
    const { grant, identity } = await arrival.finish(access.client, redirectUriOf(publicUrl, provider));
    const { incomplete } = await saveGrant(app, actor.userId, { provider, profile, accountId }, access, {
      grant,
      identity,
    });
    if (incomplete !== null) return failed(incomplete);
    return withOutcome(returnUrl, { connected: provider, status: 'success' });
  } catch (error) {
    if (error instanceof AppError) {
      app.log.info({ provider, code: error.code }, 'an account was not connected');
      return failed(error.message);
    }
    if (!(error instanceof OAuthError)) throw error;
    app.log.warn({ provider, fault: error.fault, code: error.code, err: error.cause }, 'an account was not connected');
    return failed(messageOf(service, error));
  }
}

function messageOf(service: string, error: OAuthError): string {
  switch (error.fault) {
    case 'grant':
      return error.code === 'access_denied'
        ? `You didn't give Holdfast access to ${service}, so nothing was connected. You can try again any time.`
        : `${service} didn't give access (${error.code}). Nothing was connected. Start again.`;
    case 'client':
      return clientFailure(service, error.code).message;
    case 'refused':
      return 'This sign-in has expired or was started in another browser. Start again.';
    case 'transient':
      return `${service}'s sign-in service sent an unexpected response. Nothing was connected. Try again in a moment.`;
  }
}

/**
 * Connects an account that nobody has: the emulated provider makes one, its person consents at once, and from there on
 * it is an account like any other, with the adapters, tokens and limits of the real thing.
 *
 * *Errors*: AppError not-found where simulated accounts are switched off.
 */
export async function simulateConnect(app: App, actor: Actor, provider: OAuthProviderName): Promise<ConnectionId> {
  const kind = { provider, profile: 'simulated' };
  const [simulation, access] = await Promise.all([openSimulation(app, provider), findOAuthAccess(app, kind)]);
  if (simulation === null || access === null) throw new AppError('not-found', 'NOT_FOUND', 'Not found.');
  const account = await simulation.addAccount(await loadOwner(app.db, actor.userId));
  const redirectUri = redirectUriOf(app.config.publicUrl, provider);
  const { scopes, client } = access;
  const { url, challenge } = await startAuthorization(client, { redirectUri, scopes, loginHint: account });
  const parameters = await simulation.consent(url, account);
  const calls = { fetch: app.apiFetch, nowMs: () => app.clock.nowMs() };
  const granted = await finishAuthorization(calls, client, { parameters, redirectUri, challenge });
  const { id } = await saveGrant(app, actor.userId, { ...kind, accountId: null }, access, granted);
  return id;
}
