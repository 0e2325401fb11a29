import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isOneLine } from '#kernel/codecs.ts';
import { AppError } from '#kernel/errors.ts';
import { chooseTongue, languageCookie, languages, nameOfLanguage } from '#kernel/languages.ts';
import { trimEndOf } from '#kernel/text/trim-text.ts';
import type { App } from './app.ts';
import { acceptedEncoding, sendCompressed } from './compress.ts';
import { type FairShare, isAwaited } from './fair-share.ts';
import { nextTurn } from './in-slices.ts';
import { type Allowance, networkOf, takeNetworkAllowance } from './limits.ts';
import type { Log } from './log.ts';
import type { PageBundle, PageFile } from './page-bundle.ts';
import { type Page, type Tongues, writePage } from './page-document.ts';
import type { BrowserNote, RequestFacts } from './routes.ts';
import { factsOf, type Sessions } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Other sites may show what stands there in a frame. */
    embeds?: boolean;
  }
}

/**
 * A public page, complete without script: people read it with GET and send its forms with POST. Its address may be
 * anybody's (`/{handle}`): other routes take precedence.
 */
export interface PageRoute {
  method: 'GET' | 'POST';
  /** With `{name}` for parameters. */
  path: string;
  /** Null: nothing of this feature stands at this address. */
  handle(app: App, call: PageCall): Promise<PageAnswer | null>;
}

export interface PageCall {
  method: PageRoute['method'];
  params: Readonly<Record<string, string>>;
  /** Query; for a repeated name, the last value. */
  query: URLSearchParams;
  /** Form fields; empty for GET. */
  form: URLSearchParams;
  cookies: Readonly<Record<string, string | undefined>>;
  /** The languages it can be had in. */
  tongues: Tongues;
  /** Accept-Language as it came. */
  languages: string;
  /** Whether a page will do: previews of links, mail gateways and monitors do not ask for HTML by name. */
  wantsHtml: boolean;
  request: RequestFacts;
  note: BrowserNote;
  log: Log;
}

export type PageAnswer = { cookies?: Readonly<Record<string, string>> } & (
  | { kind: 'page'; page: Page; status?: number }
  /** To another page, here or elsewhere. */
  | { kind: 'go'; to: string }
  | { kind: 'file'; type: string; name: string; text: string }
);

const formType = 'application/x-www-form-urlencoded';
const formLimit = 64 * 1024;
/** Forms of one network that are read. Each page has limits of its own for what is done with them. */
const formsPerNetwork: Allowance = { action: 'form of a page', burst: 300, periodSeconds: 600 };
const yearSeconds = 31_536_000;

/** The scripts of the pages; names with a hash for ever, the embed script for an hour. */
export function addPageFiles(server: FastifyInstance, bundle: PageBundle | null): void {
  for (const [url, file] of bundle?.files ?? []) {
    server.get(url, (request, reply) => {
      const { encoding, bytes } = pickEncoding(request, file);
      return reply
        .headers({
          'cache-control': file.immutable ? `public, max-age=${yearSeconds}, immutable` : 'public, max-age=3600',
          'x-content-type-options': 'nosniff',
          vary: 'Accept-Encoding',
          // other sites' pages load the embed script
          'cross-origin-resource-policy': 'cross-origin',
          ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
        })
        .type(file.type)
        .send(bytes);
    });
  }
}

export function addPageRoutes(
  server: FastifyInstance,
  app: App,
  routes: readonly PageRoute[],
  bundle: PageBundle | null,
  share: FairShare,
  sessions: Pick<Sessions, 'noteOf'>,
): Promise<void> {
  const isHttps = app.config.publicUrl.startsWith('https:');
  return Promise.resolve(
    server.register(async (scope) => {
      // a form sends a line break as two characters, which a limit of the field counts as one
      scope.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: formLimit }, (_request, body, done) =>
        done(null, new URLSearchParams((body as string).replaceAll(/%0D%0A/gi, '%0A'))),
      );
      // a mail program's one click comes as either (RFC 8058 3.2), and says nothing that its address does not
      scope.addContentTypeParser(
        'multipart/form-data',
        { parseAs: 'string', bodyLimit: formLimit },
        (_request, _body, done) => done(null, new URLSearchParams()),
      );
      for (const route of routes) {
        scope.route({
          method: route.method,
          config: { embeds: true },
          url: route.path.replace(/\{([^{}]+)\}/g, ':$1'),
          async onRequest(request) {
            if (route.method === 'POST') await takeNetworkAllowance(app.db, formsPerNetwork, request.ip);
          },
          async handler(request, reply) {
            const plain = plainAddress(request);
            if (plain !== null) return reply.redirect(plain, 303);
            const call = { ...callOf(request), note: sessions.noteOf(request, reply) };
            if (!Object.values(call.params).every(isOneLine)) return reply.callNotFound();
            const answer = await share.run(
              networkOf(request.ip),
              () => route.handle(app, call),
              () => isAwaited(request),
            );
            if (answer === null) return reply.callNotFound();
            const asked = call.query.get('lang');
            // chosen here, it holds for every page
            const chosen = asked === null ? {} : { [languageCookie]: chooseTongue([asked]).language };
            for (const [name, value] of Object.entries({ ...answer.cookies, ...chosen })) {
              void reply.setCookie(name, value, {
                path: '/',
                sameSite: 'lax',
                secure: isHttps,
                maxAge: yearSeconds,
              });
            }
            if (answer.kind === 'go') return reply.redirect(answer.to, 303);
            if (answer.kind === 'file') {
              return reply
                .header('content-disposition', `attachment; filename="${answer.name}"`)
                .header('x-content-type-options', 'nosniff')
                .type(answer.type)
                .send(answer.text);
            }
            if (bundle === null) throw notBuilt();
            const { tongues } = call;
            const install = app.brand.current();
            // a month with many times takes some ten milliseconds: pages that are asked for at once take turns
            await nextTurn();
            const document = writePage(bundle, answer.page, app.config.publicUrl, { install, tongues });
            void reply
              .code(answer.status ?? 200)
              .header('content-security-policy', document.policy)
              // Requested again each time. Going back finds it as it was left, unless a cookie of the browser changed meanwhile.
              .header('cache-control', 'private, no-cache')
              .type('text/html; charset=utf-8');
            // The policy says which sites may show it in a frame; this older header can only say that none may.
            if (answer.page.frames !== null) reply.removeHeader('x-frame-options');
            return sendCompressed(request, reply, document.html);
          },
        });
      }
    }),
  );
}

/**
 * The one form of an address that people keep with a slash too many, or with the stop of the sentence around it; null where
 * it has that form.
 */
export function plainAddress({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): string | null {
  // a browser takes a backslash at the beginning for the address of another site
  if (method !== 'GET' || url.includes('\\')) return null;
  const at = url.includes('?') ? url.indexOf('?') : url.length;
  const path = url.slice(0, at);
  const oneSlash = path.replace(/\/{2,}/g, '/');
  const plain = oneSlash.charAt(0) + trimEndOf(oneSlash.slice(1), '/.,;)');
  return plain === path ? null : plain + url.slice(at);
}

function tonguesOf({ method, query }: Pick<PageCall, 'method' | 'query'>): Tongues {
  const asked = query.has('lang');
  if (method === 'POST' || query.has('embed')) return { asked, ways: [] };
  const ways = languages.map((language) => {
    const there = new URLSearchParams(query);
    there.set('lang', language);
    return { language, name: nameOfLanguage(language), to: `?${there.toString()}` };
  });
  return { asked, ways };
}

function callOf(request: FastifyRequest): Omit<PageCall, 'note'> {
  const [, search = ''] = request.url.split('?', 2);
  // HEAD asks for what GET would show
  const method = request.method === 'POST' ? 'POST' : 'GET';
  const query = new URLSearchParams(search);
  return {
    method,
    params: request.params as PageCall['params'],
    query,
    tongues: tonguesOf({ method, query }),
    form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
    cookies: request.cookies,
    languages: request.headers['accept-language'] ?? '',
    wantsHtml: takesPage(request.headers.accept ?? ''),
    request: factsOf(request),
    log: request.log as Log,
  };
}

const takesPage = (accept: string) => accept.includes('text/html') || !accept.includes('application/json');

const notBuilt = () =>
  new AppError('not-found', 'NOT_FOUND', 'The pages of this install have not been built. Run `npm start`.');

function pickEncoding(request: FastifyRequest, file: PageFile) {
  const encoding = acceptedEncoding(request, ['br', 'gzip']);
  return { encoding, bytes: encoding === 'br' ? file.br : encoding === 'gzip' ? file.gzip : file.plain };
}
