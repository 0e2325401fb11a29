import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseTongue, languageCookie, readAccepted, type Tongue } from '#kernel/languages.ts';
import type { Actor } from './actor.ts';
import type { App } from './app.ts';
import { SealError } from './crypto.ts';
import type { Feature } from './feature.ts';
import type { BrowserNote, NoteKind, RequestFacts, SessionCookie } from './routes.ts';
import { hasOperatorKey } from './this-machine.ts';

export interface Sessions {
  hasCookie(request: FastifyRequest): boolean;
  /** Returns the sender; null without a session. Prolongs the cookie with the session. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<Actor | null>;
  cookieOf(reply: FastifyReply): SessionCookie;
  noteOf(request: FastifyRequest, reply: FastifyReply): BrowserNote;
}

const notePlace = (kind: NoteKind) => ({ table: 'browser', row: '', column: kind });

/** Longer than any token of ours, short enough not to cost anything. */
const tokenMostChars = 200;

/** `__Host-` binds the cookie to this very host and to https; plain http (a machine at home) cannot have it. */
export function sessionCookieName(isHttps: boolean): string {
  return isHttps ? '__Host-holdfast' : 'holdfast';
}

export function createSessions(app: App, features: readonly Feature[], isHttps: boolean): Sessions {
  const name = sessionCookieName(isHttps);
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps } as const;
  const authenticators = features.flatMap((feature) => feature.authenticate ?? []);
  if (authenticators.length > 1) throw new Error('more than one feature proves who somebody is');
  const [authenticate] = authenticators;

  function cookieOf(reply: FastifyReply): SessionCookie {
    return {
      set(token, lifetimeSeconds) {
        void reply.setCookie(name, token, { ...attributes, maxAge: lifetimeSeconds });
      },
      clear() {
        void reply.setCookie(name, '', { ...attributes, maxAge: 0 });
      },
    };
  }

  function openNote(request: FastifyRequest, kind: NoteKind): string | null {
    const sealed = request.cookies[`${name}-${kind}`];
    if (!sealed) return null;
    try {
      return app.keyring.open(sealed, notePlace(kind));
    } catch (error) {
      if (error instanceof SealError) return null;
      throw error;
    }
  }

  return {
    hasCookie: (request) => Boolean(request.cookies[name]),
    cookieOf,
    noteOf: (request, reply) => ({
      read: (kind) => openNote(request, kind),
      leave(text, lifetimeSeconds, kind = 'note') {
        const sealed = app.keyring.seal(text, notePlace(kind));
        void reply.setCookie(`${name}-${kind}`, sealed, { ...attributes, maxAge: lifetimeSeconds });
      },
      take(kind = 'note') {
        if (!request.cookies[`${name}-${kind}`]) return null;
        void reply.setCookie(`${name}-${kind}`, '', { ...attributes, maxAge: 0 });
        return openNote(request, kind);
      },
      hasOperatorKey: () => hasOperatorKey(app, request),
    }),
    async identify(request, reply) {
      const bearer = /^bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
      // A header that is no token of ours is a refusal, not a reason to fall back on the cookie.
      const token = request.headers.authorization === undefined ? request.cookies[name] : bearer;
      if (!token || token.length > tokenMostChars || !authenticate) return null;
      const proven = await authenticate(app, token, factsOf(request));
      if (proven?.renewedForSeconds && bearer === undefined) cookieOf(reply).set(token, proven.renewedForSeconds);
      const { method, id: requestId } = request;
      await proven?.trace?.({ method, route: request.routeOptions.url ?? 'none', requestId });
      return proven?.actor ?? null;
    },
  };
}

/** Resolves the reader's locale: the chosen language, else the browser's. */
export function tongueOf({ cookies, headers }: FastifyRequest): Tongue {
  // an unreadable request has no cookies
  const chosen = (cookies as FastifyRequest['cookies'] | undefined)?.[languageCookie];
  return chooseTongue([chosen, ...readAccepted(headers['accept-language'] ?? '')]);
}

/** Facts of a request for use cases. */
export function factsOf(request: FastifyRequest): RequestFacts {
  return {
    id: request.id,
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 300).replace(/[^\x20-\x7e]/g, '?'),
    tongue: tongueOf(request),
    idempotencyKey: request.headers['idempotency-key'] as string | undefined, // Node joins what comes twice
    onlooker: {
      asksNotToBeTracked: request.headers.dnt === '1' || request.headers['sec-gpc'] === '1',
      isPrefetch: [request.headers['sec-purpose'], request.headers.purpose]
        .flat()
        .some((purpose) => purpose !== undefined && /prefetch|prerender/.test(purpose)),
      sessionToken: request.cookies[sessionCookieName(true)] ?? request.cookies[sessionCookieName(false)],
    },
    isGone: () => request.raw.socket.destroyed,
  };
}
