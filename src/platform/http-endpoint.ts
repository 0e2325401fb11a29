import type { ServerResponse } from 'node:http';
import { finished, Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { FileAnswer } from '#kernel/codecs.ts';
import { type Endpoint, generalErrors } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from './actor.ts';
import type { App } from './app.ts';
import { compileSchema } from './compile-schema.ts';
import { answerText, hasLongList, sendAnswer } from './compress.ts';
import { sayError, sayMessages } from './error-words.ts';
import { actFor, type FairShare, isAwaited } from './fair-share.ts';
import { decodeInput } from './http-input.ts';
import { inSlices } from './in-slices.ts';
import { networkOf, takeAllowance, takeNetworkAllowance } from './limits.ts';
import { needsOwnHand } from './own-hand.ts';
import type { Pages } from './pages.ts';
import { type Context, outcomeSeconds, type Route } from './routes.ts';
import { factsOf, type Sessions, tongueOf } from './session-cookie.ts';

/** An answer this long keeps its caller's place until it is sent: nobody has more of them made than they read. */
const longAnswerChars = 1_000_000;

const untilSent = (response: ServerResponse) => new Promise<void>((resolve) => finished(response, () => resolve()));

/** Serves one endpoint: who asks, what they ask, what they get. */
export async function addEndpoint(
  server: FastifyInstance,
  app: App,
  route: Route,
  sessions: Sessions,
  pages: Pages,
  share: FairShare,
): Promise<void> {
  const { endpoint } = route;
  const { takesFile } = endpoint;
  if (takesFile === undefined) {
    serve(server, app, route, sessions, pages, share);
    return;
  }
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser([...takesFile], { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    serve(scope, app, route, sessions, pages, share);
  });
}

function serve(
  server: FastifyInstance,
  app: App,
  route: Route,
  sessions: Sessions,
  pages: Pages,
  share: FairShare,
): void {
  const { endpoint } = route;
  const { sendsTo } = endpoint;
  const sharesPath = endpoint.method === 'GET' && !sendsTo && !/^\/(api|auth)\//.test(endpoint.path);
  const outputSchema = compileSchema(endpoint.output);
  const actors = new WeakMap<object, Actor>();
  server.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{([^{}]+)\}/g, ':$1'),
    ...bodyLimitOf(endpoint),
    ...(endpoint.requestsPerMinute === undefined
      ? {}
      : { config: { rateLimit: { max: endpoint.requestsPerMinute, timeWindow: 60_000 } } }),
    ...(sendsTo === undefined ? {} : { errorHandler: tellOn(sendsTo, sessions) }),
    // Before the body is read: strangers do not get to make us parse.
    async onRequest(request, reply) {
      if (sharesPath) {
        void reply.header('vary', 'Accept');
        if (pages.isFor(request)) return pages.send(reply);
      }
      const actor = await sessions.identify(request, reply);
      // a public call needs no key, and a handler would mistake the key for a session
      if (actor && (actor.scopes === undefined || endpoint.auth !== 'public')) actors.set(request, actor);
      permit(endpoint, actor);
      const { allowance } = endpoint;
      if (allowance?.sparesKnown) await takeAllowance(app.db, allowance, networkOf(request.ip));
      else if (allowance) await takeNetworkAllowance(app.db, allowance, request.ip);
      return undefined;
    },
    async handler(request, reply) {
      const context = {
        app,
        actor: actors.get(request) ?? null,
        input: decodeInput(endpoint, request, tongueOf(request).language),
        request: factsOf(request),
        cookie: sessions.cookieOf(reply),
        note: sessions.noteOf(request, reply),
        log: request.log,
      };
      const say = (answer: unknown) => sayMessages(answer, tongueOf(request).language);
      let made: { result: unknown; text: string | null };
      try {
        const caller = context.actor?.userId ?? networkOf(request.ip);
        const handle = async () => route.handle(context as unknown as Context<Endpoint>);
        made = await share.run(
          caller,
          async () => {
            const result = await actFor(caller, handle);
            const isLong = endpoint.sendsFile === undefined && hasLongList(result);
            return { result, text: isLong ? await inSlices(answerText(outputSchema, result as object, say)) : null };
          },
          () => isAwaited(request),
          ({ text }) => (text !== null && text.length >= longAnswerChars ? untilSent(reply.raw) : null),
        );
      } catch (error) {
        if (error instanceof AppError && !isDeclared(endpoint, error.code)) {
          request.log.error(
            { route: route.name, code: error.code },
            'an error code that the contract does not declare',
          );
        }
        throw error;
      }
      const { result, text } = made;
      if (endpoint.sendsFile !== undefined) return sendFile(reply, endpoint.sendsFile, result as FileAnswer);
      const status = endpoint.status ?? 200;
      if (text !== null) return sendAnswer(request, reply.code(status), text);
      const output = z.encode(outputSchema, result as never);
      if (sendsTo !== undefined) return reply.redirect(String(output), 303);
      if (output === undefined) return reply.code(204).send();
      return sendAnswer(request, reply.code(status), JSON.stringify(say(output)));
    },
  });
}

/** Calls that anybody may make take large bodies only where their contract says so. */
function bodyLimitOf({ auth, bodyLimit }: Endpoint): { bodyLimit?: number } {
  if (bodyLimit !== undefined) return { bodyLimit };
  return auth === 'public' ? { bodyLimit: 16 * 1024 } : {};
}

/** To be kept, never shown: what is in it was written by many hands. */
function sendFile(reply: FastifyReply, type: string, { name, sizeBytes, chunks }: FileAnswer): FastifyReply {
  return reply
    .headers({
      'content-type': type,
      ...(sizeBytes === null ? {} : { 'content-length': sizeBytes }),
      'content-disposition': `attachment; filename="${name.replace(/[^A-Za-z0-9._-]/g, '-')}"`,
      'x-content-type-options': 'nosniff',
    })
    .send(Readable.from(chunks, { objectMode: false }));
}

/** A person whose browser is refused on its way is told on a page; a script gets the refusal itself. */
function tellOn(page: string, sessions: Sessions) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    if (!(error instanceof AppError) || !(request.headers.accept ?? '').includes('text/html')) throw error;
    sessions.noteOf(request, reply).leave(error.message, outcomeSeconds, 'outcome');
    const told = new URLSearchParams({ status: 'error', message: sayError(error.message, tongueOf(request).language) });
    void reply.redirect(`${page}?${told.toString()}`, 303);
  };
}

function permit(endpoint: Endpoint, actor: Actor | null): void {
  if (actor !== null && actor.impersonation !== null && needsOwnHand(endpoint)) {
    throw new AppError('forbidden', 'IMPERSONATING', 'Only the account owner can do this. Stop impersonating first.');
  }
  if (endpoint.auth === 'public') return;
  if (!actor) throw new AppError('unauthenticated', 'UNAUTHENTICATED', 'Authentication required');
  if (actor.scopes !== undefined) demandScope(endpoint, actor.scopes);
  if (endpoint.auth !== 'admin' || actor.adminAccess === 'granted') return;
  if (actor.adminAccess === 'mfa-needed') {
    throw new AppError(
      'forbidden',
      'MFA_NEEDED',
      'Administrators need multi-factor authentication. Set it up, then sign in again.',
    );
  }
  throw new AppError('forbidden', 'FORBIDDEN', 'Only administrators can do this.');
}

/** Keys do what their scopes say, and never what is about signing in. */
function demandScope({ auth, method, path }: Endpoint, scopes: readonly string[]): void {
  const act = method === 'GET' ? 'read' : 'write';
  const needed = auth === 'admin' ? `admin:${act}` : act;
  if (scopes.includes(needed) && !path.startsWith('/auth/')) return;
  throw new AppError(
    'forbidden',
    'FORBIDDEN',
    `This API key doesn't have access. The scope ${needed} is required. Sign-in settings need a session.`,
  );
}

function isDeclared(endpoint: Endpoint, code: string): boolean {
  return code in generalErrors || (endpoint.errors ?? []).includes(code);
}
