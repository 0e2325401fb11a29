import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import cookie from '@fastify/cookie';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { AppError } from '#kernel/errors.ts';
import { isPublicAddress } from './addresses.ts';
import { addApiReference } from './api-reference.ts';
import type { App } from './app.ts';
import { capSockets } from './cap-sockets.ts';
import { sqlStateOf } from './db.ts';
import { boundUnsent, endUnread } from './end-unread.ts';
import { sendError } from './error-page.ts';
import { createFairShare } from './fair-share.ts';
import type { Feature } from './feature.ts';
import { addEndpoint } from './http-endpoint.ts';
import { refuseCrossSite, refuseSmuggling } from './http-guard.ts';
import { isJsonType, mostValuesIn, parseJson } from './http-input.ts';
import { limitRequests } from './limit-requests.ts';
import type { Log } from './log.ts';
import { addMailPage } from './mail-page.ts';
import { addMaintenance } from './maintenance-page.ts';
import { addOperations, createReadiness } from './operations.ts';
import { loadPageBundle } from './page-bundle.ts';
import { addPageFiles, addPageRoutes, plainAddress } from './page-route.ts';
import { addPages } from './pages.ts';
import { addRawRoutes, defaultBodyLimit } from './raw-route.ts';
import { securityHeaders } from './security-headers.ts';
import { createSessions } from './session-cookie.ts';
import { noWrites } from './sql-states.ts';
import { addStream } from './stream.ts';

export interface HttpServer {
  /** For `inject` in tests; use `listen` to serve. */
  readonly fastify: FastifyInstance;
  /** Everything that is served but the files of the bundle; HEAD goes with GET. */
  readonly routes: readonly { method: string; url: string }[];
  /** The address it listens on, e.g. `http://127.0.0.1:3000`. */
  listen(): Promise<string>;
  /** Lets running requests end, ends the streams, takes no new ones. */
  close(): Promise<void>;
}

export interface HttpOptions {
  /** Requests of one network (IPv6: one /64; three times as many of one /48), in this process; a last resort under everything else. */
  requestsPerMinute?: number;
  /** Calls of one person, or of one network without a session, that run at the same time; fewer than `connectionsOfCaller`. */
  callsAtATime?: number;
  /** Where the browser bundle is; a missing one leaves the calls working. */
  webRoot?: string;
  /** Where the public pages are built to; likewise. */
  pageRoot?: string;
  /** Within which the headers of a request have to be there, and all of it; looked at every 2 s. */
  patience?: { headersMs: number; requestMs: number };
}

const defaultPatience = { headersMs: 10_000, requestMs: 30_000 };
/** Time after which a connection that reads nothing of its answer is closed. */
const unreadMs = 60_000;

const noCompiler = () => {
  throw new Error('a route has a schema of Fastify’s');
};

/** Everything HTTP: the calls of all features, pages, event stream, reference and operations. Does not listen yet. */
export async function createHttpServer(
  app: App,
  features: readonly Feature[],
  options: HttpOptions = {},
): Promise<HttpServer> {
  const { config } = app;
  const { patience = defaultPatience } = options;
  const isHttps = config.publicUrl.startsWith('https:');
  const publicOrigin = new URL(config.publicUrl).origin;
  const server = fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: trustOf(config.trustProxy),
    bodyLimit: defaultBodyLimit,
    requestTimeout: patience.requestMs,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    http: { headersTimeout: patience.headersMs, connectionsCheckingInterval: 2_000, maxHeaderSize: 16_384 },
    // the contract checks both ways: no route has a schema of Fastify's, and what compiles those is not read
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => {
      void sendError(error, request as FastifyRequest, reply as FastifyReply);
    },
  });
  capSockets(server.server, config.trustProxy !== false);
  boundUnsent(server);

  const readiness = createReadiness(app);
  server.setErrorHandler((error, request, reply) => {
    if (noWrites.has(sqlStateOf(error) ?? '')) readiness.doubtWrites();
    return sendError(error, request, reply);
  });

  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isJsonType(request.headers['content-type'] ?? '') || request.headers['content-encoding'] !== undefined) {
      done(new AppError('unsupported', 'UNSUPPORTED_TYPE', 'Send application/json in UTF-8, not compressed.'));
      return;
    }
    try {
      done(
        null,
        body.length === 0 ? undefined : parseJson(body as Buffer, mostValuesIn(request.routeOptions.bodyLimit)),
      );
    } catch (error) {
      done(error as AppError);
    }
  });

  await server.register(cookie);
  const sessions = createSessions(app, features, isHttps);

  server.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id);
    refuseSmuggling(request.raw);
  });
  server.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
  });
  server.addHook('onResponse', async (request, reply) => {
    // The pattern, not the address: addresses may carry what should not be kept.
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    app.metrics.httpSeconds.observe(
      { method: request.method, route, status: String(status) },
      reply.elapsedTime / 1000,
    );
    request.log.info({ method: request.method, route, status, durationMs: Math.round(reply.elapsedTime) }, 'request');
  });

  const headers = await securityHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // The component library writes <style> elements for its breakpoints; styles cannot run anything.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        // the booking page, as its host sees it beside its settings
        frameSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        // Would turn every link of a plain http install into one that does not answer.
        ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: config.hstsIncludesSubdomains } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    // Browsers ignore both on plain http and complain on the console.
    crossOriginOpenerPolicy: isHttps ? { policy: 'same-origin' } : false,
    originAgentCluster: isHttps,
  });
  server.addHook('onRequest', async (request, reply) => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value);
    if (request.raw.socket instanceof Socket) endUnread(reply.raw, unreadMs);
    reply.raw.setHeader('permissions-policy', permissionsPolicy);
  });
  if (config.trustProxy === false) server.addHook('onRequest', warnOfProxy(app.log));
  await limitRequests(server, options.requestsPerMinute ?? 6_000);
  const share = createFairShare(options.callsAtATime ?? 4);

  addMaintenance(server, app, sessions);

  const routes = features.flatMap((feature) => feature.routes ?? []).flat();
  const known = rememberRoutes(server);
  await server.register(async (scope) => {
    scope.addHook('onRequest', async (request) =>
      refuseCrossSite(request.raw, publicOrigin, sessions.hasCookie(request)),
    );
    const pages = await addPages(scope, app.brand, options.webRoot);
    const publicPages = await loadPageBundle(options.pageRoot);
    addPageFiles(scope, publicPages);
    known.startListing();
    for (const route of routes) await addEndpoint(scope, app, route, sessions, pages, share);
    addStream(scope, app, sessions, pages.build);
    addApiReference(scope, features, app);
    addOperations(scope, app, readiness);
    if (config.showsMail) addMailPage(scope, app);
    await addPageRoutes(
      scope,
      app,
      features.flatMap((feature) => feature.pages ?? []),
      publicPages,
      share,
      sessions,
    );
    scope.setNotFoundHandler((request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '';
      const plain = plainAddress(request);
      if (plain !== null && isKept(path) && !pages.hasScreen(request)) return reply.redirect(plain, 303);
      const methods = known.methodsOf(path);
      if (methods.length > 0 && !methods.includes(request.method)) {
        return reply
          .header('allow', methods.join(', '))
          .code(405)
          .send({
            detail: { code: 'METHOD_NOT_ALLOWED', message: `This address accepts ${methods.join(', ')} only.` },
          });
      }
      if (pages.isFor(request)) return pages.send(reply);
      throw new AppError('not-found', 'NOT_FOUND', 'Not found.');
    });
  });
  // Beside the guard: another site's page may send its reader there, whose session counts for nothing.
  await addRawRoutes(
    server,
    app,
    features.flatMap((feature) => feature.rawRoutes ?? []),
    share,
  );
  await server.ready();
  return {
    fastify: server,
    routes: known.listed(),
    listen: () => server.listen({ host: config.host, port: config.port }),
    close: () => server.close(),
  };
}

/** Features of a device that no script of ours asks for, so that no injected one can. */
const permissionsPolicy = [
  'camera',
  'display-capture',
  'geolocation',
  'hid',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * Behind a proxy that is not trusted, all people are one network and share its allowances. The error makes the console of
 * administrators show it, beside the log. A public peer says nothing: anybody may write the header.
 */
function warnOfProxy(log: Log) {
  let isTold = false;
  return async ({ headers, socket }: FastifyRequest) => {
    if (isTold || headers['x-forwarded-for'] === undefined || isPublicAddress(socket.remoteAddress ?? '')) return;
    isTold = true;
    const err = new Error('X-Forwarded-For arrives, but TRUST_PROXY is not set: all people count as one network');
    log.warn({ err }, 'set TRUST_PROXY: a proxy is in front of this server');
  };
}
/** Addresses of programs are taken as they are. */
const isKept = (path: string) => !/^\/+(?:api|auth)(?:\/|$)/.test(path);

/** `true` is the one proxy in front: of the list it sends, what stands before the last was written by whoever asks. */
function trustOf(proxies: App['config']['trustProxy']) {
  if (proxies === true) return (_address: string, hop: number) => hop === 0;
  return proxies === false ? false : [...proxies];
}

/** Paths and their methods, to tell "wrong method" from "not found". */
function rememberRoutes(server: FastifyInstance) {
  const routes: { url: string; pattern: RegExp; methods: string[] }[] = [];
  server.addHook('onRoute', ({ url, method }) => {
    const source = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('/');
    routes.push({ url, pattern: new RegExp(`^${source}$`), methods: [method].flat() });
  });
  let files = 0;
  return {
    startListing() {
      files = routes.length;
    },
    listed: () =>
      routes
        .slice(files)
        .flatMap(({ url, methods }) => methods.filter((one) => one !== 'HEAD').map((method) => ({ method, url }))),
    // Methods of a path. Paths that match only `/:handle` are left out, because they may be anybody's.
    methodsOf: (path: string) => [
      ...new Set(
        routes
          .filter(({ url, pattern }) => !url.startsWith('/:') && pattern.test(path))
          .flatMap(({ methods }) => methods),
      ),
    ],
  };
}

/**
 * Answers bytes that could not be parsed as a request. Fastify has no reply for them, so the answer is written to the
 * socket.
 */
function answerUnreadable(error: Error & { code?: string }, socket: Socket) {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, code] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'TIMEOUT']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'TOO_LARGE']
        : ['400 Bad Request', 'INVALID_INPUT'];
  const body = JSON.stringify({ detail: { code, message: 'The request is not valid.' } });
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}`;
  socket.end(`${head}\r\nconnection: close\r\n\r\n${body}`);
}
