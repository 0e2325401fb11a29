import { jsonReply, type Reply, type Request } from '#emulators/kit/exchange.ts';
import { bearerOf } from './call.ts';
import type { World } from './world.ts';

/** Where everything is, under one origin. Source: OpenID Connect Discovery section 3. */
export function discoveryDocument(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/o/oauth2/v2/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/v1/userinfo`,
    revocation_endpoint: `${issuer}/revoke`,
    jwks_uri: `${issuer}/oauth2/v3/certs`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    claims_supported: ['aud', 'email', 'email_verified', 'exp', 'iat', 'iss', 'name', 'sub'],
    code_challenge_methods_supported: ['plain', 'S256'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
  };
}

/** Source: OpenID Connect Core section 5.3. */
export function answerUserinfo(world: World, request: Request, nowMs: number): Reply {
  const bearer = bearerOf(world, request);
  if (!bearer || bearer.token.grant.revoked || bearer.token.expiresAtMs <= nowMs) {
    return jsonReply(401, { error: 'invalid_request', error_description: 'Invalid Credentials' });
  }
  const { sub, email, name, emailVerified = true } = bearer.user;
  return jsonReply(200, { sub, name, email, email_verified: emailVerified });
}
