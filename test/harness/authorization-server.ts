import { createHash, randomUUID } from 'node:crypto';
import { createSigningKey } from '#emulators/kit/sign-id-token.ts';
import type { ApiFetch } from '#platform/api-fetch.ts';
import type { OAuthClient } from '#platform/oauth-server.ts';

/** Faults of the server's next answers. */
export interface Misbehaviour {
  /** Answers the token endpoint gives instead, in order. */
  answers: (Response | Error)[];
  /** Laid over the claims of identities. */
  claims: Record<string, unknown>;
  /** The old refresh token is worth nothing after a refresh. */
  revokesOld: boolean;
  /** The next refresh is carried out, and its answer lost. */
  losesAnswer: boolean;
}

/** An authorisation server in a few lines: enough for what its client does, without a provider's own ways. */
export function createAuthorizationServer(options: {
  rotates: boolean;
  nowMs: () => number;
  scope?: string;
  origin?: string;
  /** Default: the secret of `client` alone. */
  acceptsSecret?: (secret: string) => boolean;
}) {
  const key = createSigningKey();
  const stranger = createSigningKey();
  const { origin = 'https://login.example.org' } = options;
  const client: OAuthClient = {
    server: {
      issuer: origin,
      authorizationEndpoint: `${origin}/authorize`,
      tokenEndpoint: `${origin}/token`,
      jwksUri: `${origin}/keys`,
      revocationEndpoint: `${origin}/revoke`,
      authorizationParameters: { access_type: 'offline' },
    },
    clientId: 'holdfast',
    clientSecret: 'client-secret',
  };
  const codes = new Map<string, URLSearchParams>();
  const refreshTokens = new Set<string>();
  const misbehaviour: Misbehaviour = {
    answers: [],
    claims: {},
    revokesOld: false,
    losesAnswer: false,
  };
  const seen: { path: string; body: URLSearchParams }[] = [];
  let count = 0;
  let hold: Promise<void> | null = null;
  let signsWith = key;

  const refused = (status: number, error: string, more: object = {}) => Response.json({ error, ...more }, { status });
  const granted = (refresh: string | null, idToken?: string) =>
    Response.json({
      access_token: `access-${++count}`,
      expires_in: 3600,
      token_type: 'Bearer',
      scope: options.scope ?? 'openid calendar',
      ...(refresh === null ? {} : { refresh_token: refresh }),
      ...(idToken === undefined ? {} : { id_token: idToken }),
    });
  const newRefresh = () => {
    const token = `refresh-${randomUUID()}`;
    refreshTokens.add(token);
    return token;
  };

  async function answerToken(body: URLSearchParams): Promise<Response> {
    const instead = misbehaviour.answers.shift();
    if (instead instanceof Error) throw instead;
    if (instead !== undefined) return instead;
    const { acceptsSecret = (secret) => secret === client.clientSecret } = options;
    if (!acceptsSecret(body.get('client_secret') ?? '')) return refused(401, 'invalid_client');
    if (body.get('grant_type') === 'refresh_token') {
      const held = body.get('refresh_token') ?? '';
      if (!refreshTokens.has(held)) return refused(400, 'invalid_grant');
      if (misbehaviour.revokesOld) refreshTokens.delete(held);
      const answer = granted(options.rotates ? newRefresh() : null);
      if (misbehaviour.losesAnswer) {
        misbehaviour.losesAnswer = false;
        throw new TypeError('fetch failed');
      }
      return answer;
    }
    const asked = codes.get(body.get('code') ?? '');
    codes.delete(body.get('code') ?? '');
    const proof = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (asked === undefined || asked.get('redirect_uri') !== body.get('redirect_uri'))
      return refused(400, 'invalid_grant');
    if (asked.get('code_challenge_method') !== 'S256' || proof !== asked.get('code_challenge')) {
      return refused(400, 'invalid_grant');
    }
    const nowS = Math.floor(options.nowMs() / 1000);
    const idToken = signsWith.signToken({
      iss: origin,
      aud: client.clientId,
      sub: 'subject-1',
      iat: nowS,
      exp: nowS + 300,
      nonce: asked.get('nonce'),
      email: 'dana@example.org',
      ...misbehaviour.claims,
    });
    return granted(newRefresh(), idToken);
  }

  const fetch: ApiFetch = async (url, init) => {
    const { pathname } = new URL(url);
    const body = new URLSearchParams(init?.body as URLSearchParams | undefined);
    seen.push({ path: pathname, body });
    if (pathname.endsWith('/keys')) return Response.json(key.jwks());
    if (pathname === '/revoke') {
      return refreshTokens.delete(body.get('token') ?? '')
        ? new Response(null, { status: 200 })
        : refused(400, 'invalid_token');
    }
    const held = hold;
    hold = null;
    await held;
    return answerToken(body);
  };

  return {
    client,
    fetch,
    misbehaviour,
    seen,
    refreshTokens,
    newRefresh,
    /** The next token request is seen, and carried out once it is released. */
    holdTokens(): { release(): void } {
      const { promise, resolve } = Promise.withResolvers<void>();
      hold = promise;
      return { release: resolve };
    },
    /** Identities are from now on signed with a key that the server does not publish. */
    forge() {
      signsWith = stranger;
    },
    /** The person says yes: what their browser brings back. */
    consent(url: string): URLSearchParams {
      const asked = new URL(url).searchParams;
      const code = randomUUID();
      codes.set(code, asked);
      return new URLSearchParams({ code, state: asked.get('state') ?? '' });
    },
  };
}
