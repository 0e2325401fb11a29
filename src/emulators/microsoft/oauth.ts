import { hash } from 'node:crypto';
import { jsonReply, type Reply, type Request } from '#emulators/kit/exchange.ts';
import type { SigningKey } from '#emulators/kit/sign-id-token.ts';
import { guidOf } from './graph-errors.ts';
import { type OAuthError, oauthErrorReply } from './oauth-errors.ts';
import { type Grant, type Mailbox, nextKey, type World } from './world.ts';

/** The token endpoint and what OpenID Connect adds. Source: v2-oauth2-auth-code-flow, v2-protocols-oidc. */

const dayMs = 86_400_000;
const minuteMs = 60_000;
const refreshTokenMs = 90 * dayMs;
/** Scopes of OpenID Connect; the others are those of Graph. */
const protocolScopes = ['openid', 'profile', 'email', 'offline_access'];

export interface TokenMoment {
  nowMs: number;
  origin: string;
  key: SigningKey;
  quirk: string | null;
}

/** `https://graph.microsoft.com/Calendars.Read` and `calendars.read` are one scope. */
export function shortScope(scope: string): string {
  return scope.replace(/^https:\/\/graph\.microsoft\.com\//i, '');
}

export function answerToken(world: World, request: Request, moment: TokenMoment): Reply {
  const form = new URLSearchParams(request.body);
  const granted =
    request.method === 'POST'
      ? redeem(world, form, readClient(form, request), moment)
      : refused('invalid_request', 900561);
  return 'error' in granted ? oauthErrorReply(granted, moment.nowMs) : issue(world, granted, moment);
}

interface Client {
  id: string;
  secret: string | null;
}

interface Granted {
  grant: Grant;
  nonce: string | null;
}

function readClient(form: URLSearchParams, { headers }: Request): Client {
  const basic = /^Basic (.+)$/i.exec(headers.authorization ?? '');
  if (basic) {
    const [id = '', secret = ''] = Buffer.from(basic[1]!, 'base64').toString().split(':').map(decodeURIComponent);
    return { id, secret };
  }
  return { id: form.get('client_id') ?? '', secret: form.get('client_secret') };
}

function redeem(world: World, form: URLSearchParams, client: Client, moment: TokenMoment): Granted | OAuthError {
  if (client.id === '') return refused('invalid_request', 900144);
  const { apps } = world.directory;
  const app = apps.get(client.id);
  if (apps.size > 0 && !app) return refused('unauthorized_client', 700016);
  if (app?.secret && app.secret !== client.secret) return refused('invalid_client', 7000215);
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(world, form, client, moment);
    case 'refresh_token':
      return redeemRefreshToken(world, form, client, moment);
    default:
      return refused('unsupported_grant_type', 9002313);
  }
}

function redeemCode(world: World, form: URLSearchParams, client: Client, { nowMs }: TokenMoment): Granted | OAuthError {
  const code = world.directory.codes.get(form.get('code') ?? '');
  if (!code || code.clientId !== client.id) return refused('invalid_grant', 9002313);
  if (code.redeemed) return refused('invalid_grant', 54005);
  if (code.expiresAtMs <= nowMs) return refused('invalid_grant', 70008);
  if (code.redirectUri !== form.get('redirect_uri')) return refused('invalid_grant', 50011);
  const verifier = form.get('code_verifier') ?? '';
  if (code.challenge !== null && code.challenge !== hash('sha256', verifier, 'base64url'))
    return refused('invalid_grant', 501481);
  code.redeemed = true;
  return { grant: code, nonce: code.nonce };
}

function redeemRefreshToken(
  world: World,
  form: URLSearchParams,
  client: Client,
  moment: TokenMoment,
): Granted | OAuthError {
  const { nowMs, quirk } = moment;
  const token = world.directory.refreshTokens.get(form.get('refresh_token') ?? '');
  if (!token || token.clientId !== client.id) return refused('invalid_grant', 9002313);
  if (token.revoked) return refused('invalid_grant', 50173);
  if (token.expiresAtMs <= nowMs) return refused('invalid_grant', 700082);
  const asked = form.get('scope');
  const scopes = asked === null ? token.scopes : asked.split(' ').filter(Boolean).map(shortScope);
  const held = token.scopes.map((scope) => scope.toLowerCase());
  if (scopes.some((scope) => !held.includes(scope.toLowerCase()) && scope !== '.default'))
    return refused('invalid_grant', 65001);
  // Every use brings a new token; the one that was used stays valid, unless a test says otherwise.
  if (world.knobs.oldRefreshToken === 'revoked' || quirk === 'revoke-old') token.revoked = true;
  return { grant: { ...token, scopes: scopes.includes('.default') ? token.scopes : scopes }, nonce: null };
}

function issue(world: World, { grant, nonce }: Granted, { nowMs, origin, key, quirk }: TokenMoment): Reply {
  const mailbox = world.mailboxes.get(grant.mailbox)!;
  const { mailbox: address, clientId } = grant;
  const lifeMs = world.knobs.accessTokenMinutes * minuteMs;
  const scopes = quirk === 'scope-reduced' ? grant.scopes.filter((scope) => !/^calendars/i.test(scope)) : grant.scopes;
  const accessToken = opaque(world, 'EwB');
  const { accessTokens, refreshTokens } = world.directory;
  accessTokens.set(accessToken, { mailbox: address, clientId, scopes, expiresAtMs: nowMs + lifeMs });
  const answer: Record<string, unknown> = {
    token_type: 'Bearer',
    scope: scopes
      .filter((scope) => scope !== 'offline_access')
      .map((scope) => written(scope, world.knobs.scopeForm))
      .join(' '),
    expires_in: Math.round(lifeMs / 1_000),
    ext_expires_in: Math.round(lifeMs / 1_000),
    access_token: accessToken,
  };
  if (grant.scopes.includes('offline_access')) {
    const refreshToken = opaque(world, 'M.C5_');
    refreshTokens.set(refreshToken, {
      mailbox: address,
      clientId,
      scopes: grant.scopes,
      expiresAtMs: nowMs + refreshTokenMs,
      revoked: false,
    });
    answer.refresh_token = refreshToken;
  }
  if (scopes.includes('openid')) answer.id_token = key.signToken(idClaims(mailbox, clientId, nonce, origin, nowMs));
  return jsonReply(200, answer, { 'cache-control': 'no-store, no-cache', pragma: 'no-cache' });
}

function written(scope: string, form: 'short' | 'url'): string {
  return form === 'short' || protocolScopes.includes(scope) ? scope : `https://graph.microsoft.com/${scope}`;
}

function idClaims(
  mailbox: Mailbox,
  clientId: string,
  nonce: string | null,
  origin: string,
  nowMs: number,
): Record<string, unknown> {
  const seconds = Math.floor(nowMs / 1_000);
  return {
    ver: '2.0',
    iss: issuerOf(origin, mailbox.tenantId),
    sub: hash('sha256', `${mailbox.userId} ${clientId}`, 'base64url'),
    aud: clientId,
    exp: seconds + 3_600,
    iat: seconds,
    nbf: seconds,
    name: mailbox.name,
    preferred_username: mailbox.address,
    email: mailbox.mail ?? mailbox.address,
    ...(mailbox.domainVerified === undefined ? {} : { xms_edov: mailbox.domainVerified }),
    oid: mailbox.userId,
    tid: mailbox.tenantId,
    ...(nonce === null ? {} : { nonce }),
  };
}

export function issuerOf(origin: string, tenantId: string): string {
  return `${origin}/${tenantId}/v2.0`;
}

/** Under `common`, the issuer of the document is a template: the tenant is known only from the token. */
export function answerDiscovery(origin: string, tenant: string): Reply {
  const issuer = ['common', 'organizations', 'consumers'].includes(tenant) ? '{tenantid}' : tenant;
  return jsonReply(200, {
    issuer: issuerOf(origin, issuer),
    authorization_endpoint: `${origin}/${tenant}/oauth2/v2.0/authorize`,
    token_endpoint: `${origin}/${tenant}/oauth2/v2.0/token`,
    userinfo_endpoint: `${origin}/oidc/userinfo`,
    end_session_endpoint: `${origin}/${tenant}/oauth2/v2.0/logout`,
    jwks_uri: `${origin}/${tenant}/discovery/v2.0/keys`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    scopes_supported: protocolScopes,
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'nonce', 'preferred_username', 'name', 'tid', 'ver', 'email'],
  });
}

/** Returns the grant of a bearer token; null when it is unknown or has expired. */
export function findGrant(world: World, authorization: string | undefined, nowMs: number): Grant | null {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  const grant = token === undefined ? undefined : world.directory.accessTokens.get(token);
  return grant && grant.expiresAtMs > nowMs ? grant : null;
}

export function answerUserInfo(world: World, request: Request, nowMs: number): Reply {
  const grant = findGrant(world, request.headers.authorization, nowMs);
  const mailbox = grant && world.mailboxes.get(grant.mailbox);
  if (!grant || !mailbox)
    return jsonReply(401, { error: { code: 'InvalidAuthenticationToken', message: 'Access token is empty.' } });
  const sub = hash('sha256', `${mailbox.userId} ${grant.clientId}`, 'base64url');
  const [given_name, ...rest] = mailbox.name.split(' ');
  return jsonReply(200, { sub, name: mailbox.name, given_name, family_name: rest.join(' '), email: mailbox.address });
}

/** Tokens nobody is meant to read. */
function opaque(world: World, prefix: string): string {
  const key = nextKey(world, 'token');
  return `${prefix}${hash('sha512', guidOf(key), 'base64url')}${key.slice(5)}`;
}

export function newCode(world: World): string {
  return opaque(world, '0.A');
}

const refused = (error: string, code: number): OAuthError => ({ error, code });
