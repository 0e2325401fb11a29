import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The browser bundle as it was built, and one answer for each call: screens of which every picture is the same. */

const root = join(import.meta.dirname, '../../../dist/web');
const kinds: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** A stream that is open and silent. */
export const silentStream = `window.EventSource = class {
  constructor() { setTimeout(() => this.onopen?.({})); }
  addEventListener() {}
  close() {}
}`;

export interface StillServer {
  url: string;
  /** Calls for which there was no answer. */
  unanswered: readonly string[];
  close(): Promise<void>;
}

export interface Call {
  method: string;
  /** With its search. */
  url: string;
  query: URLSearchParams;
  /** As it was sent; empty where nothing was. */
  body: string;
}

/** By method and path. */
export const byPath = (answers: (query: URLSearchParams) => Record<string, unknown>) => (call: Call) =>
  answers(call.query)[`${call.method} ${call.url.replace(/\?.*/, '')}`];

export interface PageFile {
  type: string;
  text: string | Buffer;
  /** The policy under which it runs. */
  policy?: string;
}

/** `answer`: to a call; undefined is 404 and noted. `page`: what stands at an address before the app's own files. */
export async function startStillServer(
  answer: (call: Call) => unknown,
  page: (url: string) => PageFile | undefined = () => undefined,
): Promise<StillServer> {
  const unanswered: string[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request;
    const { pathname, searchParams: query } = new URL(url, 'http://localhost');
    // a page may have the path of a call
    if (request.headers.accept?.includes('application/json')) {
      const answered = answer({ method, url, query, body: await text(request) });
      if (answered === undefined) unanswered.push(`${method} ${url}`);
      response.writeHead(answered === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answered ?? {}));
      return;
    }
    const own = page(url);
    if (own !== undefined) {
      response.writeHead(200, {
        'content-type': own.type,
        ...(own.policy === undefined ? {} : { 'content-security-policy': own.policy }),
      });
      response.end(own.text);
    } else {
      const name = extname(pathname) === '' ? 'index.html' : pathname;
      await readFile(join(root, name)).then(
        (file) =>
          response
            .writeHead(200, {
              'content-type': kinds[extname(name)] ?? 'text/plain',
              // a name with a hash in it; read once for all the pages of a test
              ...(pathname.startsWith('/assets/') ? { 'cache-control': 'max-age=3600' } : {}),
            })
            .end(file),
        () => response.writeHead(404).end(),
      );
    }
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    unanswered,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
