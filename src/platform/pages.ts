import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#kernel/errors.ts';
import type { BrandWatch } from './brand.ts';
import { brandDocument, brandManifest } from './brand-document.ts';
import { sendCompressed } from './compress.ts';
import { tongueOf } from './session-cookie.ts';

/** The browser application: one document that answers for every page, with 404 where it has no screen, and its files. */
export interface Pages {
  /** Whether this request wants a page: a person's browser going somewhere, not a script calling. */
  isFor(request: FastifyRequest): boolean;
  /** Whether the application has a screen at the address, with a slash at its end or without. */
  hasScreen(request: FastifyRequest): boolean;
  send(reply: FastifyReply): FastifyReply | Promise<FastifyReply>;
  /** Names the build that is served: the path of its first script, which changes with any of them. */
  build: string | undefined;
}

const defaultWebRoot = join(import.meta.dirname, '../../dist/web');
const yearSeconds = 31_536_000;

/** Serves the bundle: files with a hash in their name are cached forever, the rest are revalidated each time. */
export async function addPages(
  server: FastifyInstance,
  brand: Pick<BrandWatch, 'current'>,
  webRoot: string = defaultWebRoot,
): Promise<Pages> {
  // both are of one build; an older one had no list of screens
  const isBuilt = ['index.html', 'screens.json'].every((file) => existsSync(join(webRoot, file)));
  if (isBuilt) {
    await server.register(fastifyStatic, {
      root: webRoot,
      index: false,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      // source maps are for developers, not for visitors
      globIgnore: ['**/*.map', '**/*.br', '**/*.gz', 'index.html', 'manifest.webmanifest', 'screens.json'],
      setHeaders(reply, path) {
        const immutable = path.startsWith(join(webRoot, 'assets') + sep);
        void reply.header('cache-control', immutable ? `public, max-age=${yearSeconds}, immutable` : 'no-cache');
      },
    });
  }
  const document = isBuilt ? readFileSync(join(webRoot, 'index.html'), 'utf8') : '';
  const isScreen = isBuilt ? matchScreens(webRoot) : () => false;
  const manifestFile = join(webRoot, 'manifest.webmanifest');
  if (existsSync(manifestFile)) {
    const manifest = readFileSync(manifestFile, 'utf8');
    server.get('/manifest.webmanifest', (request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .header('vary', 'accept-language')
        .type('application/manifest+json; charset=utf-8')
        .send(brandManifest(manifest, brand.current(), tongueOf(request).language)),
    );
  }
  return {
    build: / type="module"[^>]* src="([^"]+)"/.exec(document)?.[1],
    isFor(request) {
      const path = pathOf(request);
      return (
        (request.method === 'GET' || request.method === 'HEAD') &&
        (request.headers.accept ?? '').includes('text/html') &&
        !/^\/(api|assets)(\/|$)/.test(path) &&
        !path.slice(path.lastIndexOf('/') + 1).includes('.')
      );
    },
    hasScreen: (request) => isScreen(pathOf(request)),
    send(reply) {
      if (!isBuilt)
        throw new AppError('not-found', 'NOT_FOUND', 'The pages of this install have not been built. Run `npm start`.');
      const branded = brandDocument(document, brand.current());
      const isThere = isScreen(pathOf(reply.request));
      if (branded === document && isThere) return reply.sendFile('index.html');
      void reply
        .code(isThere ? 200 : 404)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8');
      return sendCompressed(reply.request, reply, branded);
    },
  };
}

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '';

/** By the patterns that the build left, as the router of the application reads them: `$` alone is anything or nothing. */
function matchScreens(webRoot: string): (path: string) => boolean {
  const paths = JSON.parse(readFileSync(join(webRoot, 'screens.json'), 'utf8')) as string[];
  const patterns = paths.map((path) => {
    const source = path
      .split('/')
      .slice(1)
      .map((part) => (part === '$' ? '(?:/.*)?' : part.startsWith('$') ? '/[^/]+' : `/${part}`))
      .join('');
    return new RegExp(`^${source === '/' ? '' : source}/?$`, 'i');
  });
  return (path) => patterns.some((pattern) => pattern.test(path));
}
