import { hash } from 'node:crypto';
import type { Moment } from '#emulators/kit/emulator.ts';
import { jsonReply, type Reply, type Request } from '#emulators/kit/exchange.ts';
import type { SigningKey } from '#emulators/kit/sign-id-token.ts';
import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import { type AuthorizationCode, type Grant, nextSecret, type RefreshToken, type World } from './world.ts';

const CODE_LIFE_MS = 10 * minuteMs;
const UNUSED_LIFE_MS = 183 * dayMs;
const TESTING_LIFE_MS = 7 * dayMs;

/** A refusal of the token endpoint. Source: RFC 6749 section 5.2. */
function refuse(status: number, error: string, description: string, more: Record<string, string> = {}): Reply {
  return jsonReply(status, { error, error_description: description, ...more }, { 'cache-control': 'no-store' });
}

export const invalidGrant = () => refuse(400, 'invalid_grant', 'Token has been expired or revoked.');
export const invalidRapt = () =>
  refuse(400, 'invalid_grant', 'reauth related error (invalid_rapt)', {
    error_uri: 'https://support.google.com/a/answer/9368756',
    error_subtype: 'invalid_rapt',
  });
export const invalidClient = () => refuse(401, 'invalid_client', 'The OAuth client was not found.');

export function isRefresh(request: Request): boolean {
  return new URLSearchParams(request.body).get('grant_type') === 'refresh_token';
}

/** Source: "Using OAuth 2.0 for Web Server Applications"; RFC 6749 sections 4.1.3 and 6; RFC 7636. */
export function answerToken(world: World, request: Request, { nowMs }: Moment, key: SigningKey, issuer: string): Reply {
  const form = new URLSearchParams(request.body);
  const [clientId, secret] = clientOf(request, form);
  if (world.knobs.clients[clientId]?.secret !== secret) return invalidClient();
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(world, form, clientId, nowMs, key, issuer);
    case 'refresh_token':
      return refresh(world, form, clientId, nowMs);
    default:
      return refuse(400, 'unsupported_grant_type', 'Invalid grant_type');
  }
}

function clientOf(request: Request, form: URLSearchParams): [string, string] {
  const basic = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (basic === undefined) return [form.get('client_id') ?? '', form.get('client_secret') ?? ''];
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
  return [decodeURIComponent(id), decodeURIComponent(secret)];
}

function exchangeCode(
  world: World,
  form: URLSearchParams,
  clientId: string,
  nowMs: number,
  key: SigningKey,
  issuer: string,
): Reply {
  const code = world.codes.get(form.get('code') ?? '');
  const isGood = code && !code.used && code.grant.clientId === clientId && nowMs < code.issuedAtMs + CODE_LIFE_MS;
  if (!isGood || code.grant.revoked) return refuse(400, 'invalid_grant', 'Malformed auth code.');
  if (form.get('redirect_uri') !== code.redirectUri) return refuse(400, 'redirect_uri_mismatch', 'Bad Request');
  if (!provesPossession(code, form.get('code_verifier'))) {
    return refuse(
      400,
      'invalid_grant',
      code.challenge === null ? 'Unexpected code verifier.' : 'Invalid code verifier.',
    );
  }
  code.used = true;
  const accessToken = issueAccessToken(world, code.grant, code.scopes, nowMs);
  return jsonReply(
    200,
    {
      access_token: accessToken,
      expires_in: world.knobs.accessTokenSeconds,
      ...(code.offline && { refresh_token: issueRefreshToken(world, code.grant, nowMs) }),
      scope: code.scopes.join(' '),
      token_type: 'Bearer',
      ...(code.scopes.includes('openid') && {
        id_token: key.signToken(claimsOf(world, code, accessToken, issuer, nowMs)),
      }),
    },
    { 'cache-control': 'no-store' },
  );
}

/** Source: RFC 7636 section 4.6. */
function provesPossession({ challenge, challengeMethod }: AuthorizationCode, verifier: string | null): boolean {
  if (challenge === null) return verifier === null;
  if (verifier === null) return false;
  return challenge === (challengeMethod === 'S256' ? hash('sha256', verifier, 'base64url') : verifier);
}

/** The answer has no refresh token: Google does not rotate, the old one stays good. */
function refresh(world: World, form: URLSearchParams, clientId: string, nowMs: number): Reply {
  const token = world.refreshTokens.get(form.get('refresh_token') ?? '');
  if (!token || token.grant.clientId !== clientId || !isAlive(world, token, nowMs)) return invalidGrant();
  if (world.users.get(token.grant.user)?.mustReauthenticate) return invalidRapt();
  token.usedAtMs = nowMs;
  const scopes = [...token.grant.scopes];
  return jsonReply(
    200,
    {
      access_token: issueAccessToken(world, token.grant, scopes, nowMs),
      expires_in: world.knobs.accessTokenSeconds,
      scope: scopes.join(' '),
      token_type: 'Bearer',
    },
    { 'cache-control': 'no-store' },
  );
}

function isAlive({ knobs }: World, token: RefreshToken, nowMs: number): boolean {
  if (token.dead || token.grant.revoked) return false;
  if (nowMs >= token.usedAtMs + UNUSED_LIFE_MS) return false;
  return knobs.publishing === 'production' || nowMs < token.issuedAtMs + TESTING_LIFE_MS;
}

function issueAccessToken(world: World, grant: Grant, scopes: string[], nowMs: number): string {
  const secret = nextSecret(world, 'ya29.');
  const expiresAtMs = nowMs + world.knobs.accessTokenSeconds * 1_000;
  world.accessTokens.set(secret, { grant, scopes, expiresAtMs });
  return secret;
}

function issueRefreshToken(world: World, grant: Grant, nowMs: number): string {
  const secret = nextSecret(world, '1//0');
  world.refreshTokens.set(secret, { grant, issuedAtMs: nowMs, usedAtMs: nowMs, dead: false });
  const live = [...world.refreshTokens.values()].filter((token) => token.grant === grant && !token.dead);
  for (const oldest of live.slice(0, Math.max(0, live.length - world.knobs.refreshTokenLimit))) oldest.dead = true;
  return secret;
}

/** Source: OpenID Connect Core sections 2 and 3.1.3.6; "OpenID Connect", an ID token's payload. */
function claimsOf(world: World, code: AuthorizationCode, accessToken: string, issuer: string, nowMs: number) {
  const user = world.users.get(code.grant.user)!;
  const iat = Math.floor(nowMs / 1_000);
  return {
    iss: issuer,
    azp: code.grant.clientId,
    aud: code.grant.clientId,
    sub: user.sub,
    email: user.email,
    email_verified: user.emailVerified ?? true,
    at_hash: Buffer.from(hash('sha256', accessToken), 'hex').subarray(0, 16).toString('base64url'),
    ...(code.nonce !== null && { nonce: code.nonce }),
    name: user.name,
    iat,
    exp: iat + 3_600,
  };
}

/** Either token of a grant ends the whole of it. Source: "Using OAuth 2.0 for Web Server Applications", revoking. */
export function answerRevoke(world: World, request: Request): Reply {
  const secret = new URLSearchParams(request.body || request.query).get('token') ?? '';
  const token = world.accessTokens.get(secret) ?? world.refreshTokens.get(secret);
  if (!token || token.grant.revoked)
    return jsonReply(400, { error: 'invalid_token', error_description: 'Token expired or revoked' });
  token.grant.revoked = true;
  return jsonReply(200, {});
}
