import * as oauth from 'oauth4webapi';
import type { ApiFetch } from './api-fetch.ts';
import { systemClock } from './clock.ts';
import { classifyOAuthError } from './oauth-errors.ts';
import { type Grant, type Identity, type OAuthClient, OAuthError, type OAuthServer } from './oauth-server.ts';

/**
 * The authorisation code flow with PKCE and OpenID Connect, for connecting calendars and for signing in. Knows nothing
 * of browsers and databases. Sources: RFC 6749, 7636, 9207, 9700; OpenID Connect Core 1.0.
 */

export interface OAuthCalls {
  fetch: ApiFetch;
  nowMs(): number;
}

/** State to keep between sending a browser away and its return. */
export interface Challenge {
  state: string;
  nonce: string;
  verifier: string;
}

export interface Authorization {
  url: string;
  challenge: Challenge;
}

const timeoutMs = 20_000;

/** The address to send a browser to. `loginHint` is the account that is expected. */
export async function startAuthorization(
  client: OAuthClient,
  request: { redirectUri: string; scopes: readonly string[]; loginHint?: string | undefined },
): Promise<Authorization> {
  const challenge = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  const url = new URL(client.server.authorizationEndpoint);
  const parameters = {
    client_id: client.clientId,
    redirect_uri: request.redirectUri,
    response_type: 'code',
    scope: request.scopes.join(' '),
    state: challenge.state,
    nonce: challenge.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(challenge.verifier),
    code_challenge_method: 'S256',
    ...client.server.authorizationParameters,
    ...(request.loginHint === undefined ? {} : { login_hint: request.loginHint }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, challenge };
}

/**
 * Exchanges the browser's answer for tokens and an identity whose signature was checked.
 *
 * *Errors*: OAuthError; `grant` also for a person who declined (code `access_denied`).
 */
export async function finishAuthorization(
  calls: OAuthCalls,
  client: OAuthClient,
  answer: { parameters: URLSearchParams; redirectUri: string; challenge: Challenge },
): Promise<{ grant: Grant; identity: Identity }> {
  const { challenge, redirectUri } = answer;
  try {
    const isTemplate = client.server.issuer.includes('{tenantid}');
    const parameters = new URLSearchParams(answer.parameters);
    // no server that signs in for many tenants names one here (RFC 9207); one that does is not the one we asked
    if (isTemplate && parameters.has('iss'))
      throw new OAuthError('refused', 'ISS', 'An issuer was named that is none.');
    const party = partyOf(calls, client);
    const checked = oauth.validateAuthResponse(metadataOf(client.server), party, parameters, challenge.state);
    const response = await oauth.authorizationCodeGrantRequest(
      metadataOf(client.server),
      party,
      oauth.ClientSecretPost(client.clientSecret),
      checked,
      redirectUri,
      challenge.verifier,
      optionsOf(calls),
    );
    const server = isTemplate ? await serverOfTenant(client.server, response.clone()) : client.server;
    const metadata = metadataOf(server);
    const tokens = await oauth.processAuthorizationCodeResponse(metadata, party, response, {
      expectedNonce: challenge.nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(metadata, response, optionsOf(calls));
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (claims === undefined) throw new OAuthError('refused', 'NO_ID_TOKEN', 'The answer does not say who signed in.');
    return { grant: grantOf(calls, tokens), identity: identityOf(claims) };
  } catch (error) {
    throw classifyOAuthError(error);
  }
}

/** A new access token, and where the server rotates them a new refresh token. *Errors*: OAuthError. */
export async function refreshGrant(
  calls: OAuthCalls,
  client: OAuthClient,
  refreshToken: string,
  signal?: AbortSignal,
): Promise<Grant> {
  const party = partyOf(calls, client);
  try {
    const response = await oauth.refreshTokenGrantRequest(
      metadataOf(client.server),
      party,
      oauth.ClientSecretPost(client.clientSecret),
      refreshToken,
      optionsOf(calls, signal),
    );
    const body = await withoutIdToken(response);
    return grantOf(calls, await oauth.processRefreshTokenResponse(metadataOf(client.server), party, body));
  } catch (error) {
    throw classifyOAuthError(error);
  }
}

/** Gives a grant back. A token that is not known there is done. *Errors*: OAuthError. */
export async function revokeGrant(calls: OAuthCalls, client: OAuthClient, token: string): Promise<void> {
  const endpoint = client.server.revocationEndpoint;
  if (endpoint === null) return;
  try {
    const response = await oauth.revocationRequest(
      metadataOf(client.server),
      partyOf(calls, client),
      oauth.ClientSecretPost(client.clientSecret),
      token,
      optionsOf(calls),
    );
    await oauth.processRevocationResponse(response);
  } catch (error) {
    const known = classifyOAuthError(error);
    // Google answers 400 invalid_token where RFC 7009 asks for 200
    if (known.code === 'invalid_token') return;
    throw known;
  }
}

/** One object per server: the library keeps its signing keys with it. */
const metadata = new WeakMap<OAuthServer, oauth.AuthorizationServer>();

function metadataOf(server: OAuthServer): oauth.AuthorizationServer {
  const known = metadata.get(server);
  if (known !== undefined) return known;
  const made: oauth.AuthorizationServer = {
    issuer: server.issuer,
    authorization_endpoint: server.authorizationEndpoint,
    token_endpoint: server.tokenEndpoint,
    jwks_uri: server.jwksUri,
    id_token_signing_alg_values_supported: ['RS256'],
    ...(server.revocationEndpoint === null ? {} : { revocation_endpoint: server.revocationEndpoint }),
  };
  metadata.set(server, made);
  return made;
}

function partyOf(calls: OAuthCalls, client: OAuthClient): oauth.Client {
  const aheadMs = calls.nowMs() - systemClock.nowMs();
  return {
    client_id: client.clientId,
    [oauth.clockSkew]: Math.round(aheadMs / 1000),
    [oauth.clockTolerance]: 60,
  };
}

function optionsOf({ fetch }: OAuthCalls, signal?: AbortSignal) {
  const deadline = AbortSignal.timeout(timeoutMs);
  return {
    [oauth.customFetch]: (url: string, init: { method: string; headers: object; body?: unknown; signal?: unknown }) =>
      fetch(url, init as RequestInit),
    // plain http only where the operator configured it: an emulator on this machine
    [oauth.allowInsecureRequests]: true,
    signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
  };
}

const servers = new WeakMap<OAuthServer, Map<string, OAuthServer>>();

/** The issuer of the tenant that the token claims to come from; whether it does, the checks that follow say. */
async function serverOfTenant(server: OAuthServer, response: Response): Promise<OAuthServer> {
  const body = (await response.json().catch(() => null)) as { id_token?: unknown } | null;
  const payload = typeof body?.id_token === 'string' ? (body.id_token.split('.')[1] ?? '') : '';
  const tenant = tenantIn(payload);
  if (tenant === null) return server;
  const ofServer = servers.get(server) ?? new Map<string, OAuthServer>();
  servers.set(server, ofServer);
  const made = ofServer.get(tenant) ?? { ...server, issuer: server.issuer.replace('{tenantid}', tenant) };
  if (ofServer.size < 1_000) ofServer.set(tenant, made);
  return made;
}

function tenantIn(payload: string): string | null {
  try {
    const { tid } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { tid?: unknown };
    return typeof tid === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tid) ? tid : null;
  } catch {
    return null;
  }
}

/** A refresh may bring an identity we do not use, of a tenant or nonce that nobody expects. */
async function withoutIdToken(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text, (key, value: unknown) => (key === 'id_token' ? undefined : value));
  } catch (cause) {
    throw new OAuthError('transient', 'BAD_ANSWER', "We couldn't read the authorization server's response.", {
      cause,
    });
  }
  return Response.json(body);
}

function grantOf(calls: OAuthCalls, tokens: oauth.TokenEndpointResponse): Grant {
  return {
    accessToken: tokens.access_token,
    // a server that does not say how long is asked again soon
    accessExpiresMs: calls.nowMs() + (tokens.expires_in ?? 300) * 1000,
    refreshToken: tokens.refresh_token ?? null,
    scopes: tokens.scope === undefined ? null : tokens.scope.split(' ').filter((scope) => scope !== ''),
  };
}

function identityOf(claims: oauth.IDToken): Identity {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value.slice(0, 320) : null);
  const email = text(claims.email);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    tenant: text(claims.tid),
    email,
    emailVerified: email !== null && isTrue(claims.email_verified),
    domainVerified: email !== null && isTrue(claims.xms_edov),
    userName: text(claims.preferred_username),
    name: text(claims.name),
  };
}

/** Apple writes `"true"`, Microsoft's `xms_edov` has come as 1 and as "1". */
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1';
