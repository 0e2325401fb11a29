import { answerPages } from '#emulators/kit/calendar-pages.ts';
import type { Answer, Moment } from '#emulators/kit/emulator.ts';
import { jsonReply, type Request } from '#emulators/kit/exchange.ts';
import type { Asked } from '#emulators/kit/faults.ts';
import type { SigningKey } from '#emulators/kit/sign-id-token.ts';
import { answerBatch } from './answer-batch.ts';
import { authorize, bearerOf } from './call.ts';
import { answerAuthorize } from './consent.ts';
import { errorReply, GoogleError, notFound, unauthorized } from './errors.ts';
import { answerUserinfo, discoveryDocument } from './identity.ts';
import { googlePages } from './pages.ts';
import { findRoute } from './routes.ts';
import { answerRevoke, answerToken, isRefresh } from './token.ts';
import type { World } from './world.ts';

/** The signing key and the public address; null: the address that the request came to. */
export interface Identity {
  key: SigningKey;
  origin: string | null;
}

const BATCH = '/batch/calendar/v3';
const AUTHORIZE = '/o/oauth2/v2/auth';

const PLAIN: Record<string, string> = {
  'GET /.well-known/openid-configuration': 'discovery',
  'GET /oauth2/v3/certs': 'jwks',
  'GET /v1/userinfo': 'userinfo',
  'POST /v1/userinfo': 'userinfo',
  'POST /revoke': 'revoke',
  [`POST ${BATCH}`]: 'batch',
};

/** Null for what people look at: the consent page and the calendar's pages. */
export function classify(world: World, request: Request): Asked | null {
  const asked = (operation: string, account: string | null = null): Asked => ({
    operation,
    account,
    calendar: null,
    resource: null,
  });
  const { method, path } = request;
  if (method === 'POST' && path === '/token') {
    const secret = new URLSearchParams(request.body).get('refresh_token') ?? '';
    const account = world.refreshTokens.get(secret)?.grant.user ?? null;
    return asked(isRefresh(request) ? 'token.refresh' : 'token.code', account);
  }
  const account = bearerOf(world, request)?.user.email ?? null;
  const plain = PLAIN[`${method} ${path}`];
  if (plain) return asked(plain, account);
  if (!path.startsWith('/calendar/v3/')) return null;
  const found = findRoute(request);
  if (!found) return asked('unknown', account);
  const { operation } = found.route;
  const [first = null, second = null] = found.path;
  return {
    operation,
    account,
    calendar: first === 'primary' ? account : first,
    resource: operation === 'events.insert' ? idOf(request.body) : second,
  };
}

/** The id that a client chose. */
function idOf(body: string): string | null {
  return /"id"\s*:\s*"([^"]+)"/.exec(body)?.[1] ?? null;
}

/** Returns Google's response to a request, and applies the request to the world. */
export function answer(world: World, request: Request, moment: Moment, identity: Identity): Answer {
  const issuer = identity.origin ?? `http://${request.headers.host ?? 'localhost'}`;
  const { method, path } = request;
  if (path === AUTHORIZE) return answerAuthorize(world, request, moment);
  if (method === 'POST' && path === '/token') return answerToken(world, request, moment, identity.key, issuer);
  const page = answerPages(googlePages(world, moment), request, moment.nowMs);
  if (page) return page;
  try {
    switch (PLAIN[`${method} ${path}`]) {
      case 'discovery':
        return jsonReply(200, discoveryDocument(issuer));
      case 'jwks':
        return jsonReply(200, identity.key.jwks());
      case 'userinfo':
        return answerUserinfo(world, request, moment.nowMs);
      case 'revoke':
        return answerRevoke(world, request);
      case 'batch':
        if (!bearerOf(world, request)) throw unauthorized();
        return answerBatch(request, moment);
      default:
        return answerApi(world, request, moment);
    }
  } catch (error) {
    if (error instanceof GoogleError) return errorReply(error);
    throw error;
  }
}

function answerApi(world: World, request: Request, moment: Moment): Answer {
  const found = findRoute(request);
  if (!found) throw notFound();
  const { route, path } = found;
  const bearer = authorize(world, request, moment.nowMs, route.scopes);
  return route.answer({ world, request, moment, query: new URLSearchParams(request.query), path, ...bearer });
}
