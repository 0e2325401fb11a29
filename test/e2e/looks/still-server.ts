import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

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

export interface StillServer {
  url: string;
  /** Calls for which there was no answer. */
  unanswered: readonly string[];
  close(): Promise<void>;
}

/** `answers`: by method and path; what is not there is 404 and noted. */
export async function startStillServer(
  answers: (query: URLSearchParams) => Record<string, unknown>,
): Promise<StillServer> {
  const unanswered: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const call = `${request.method} ${pathname}`;
    // a page may have the path of a call
    if (request.headers.accept?.includes('application/json')) {
      const answer = answers(searchParams)[call];
      if (answer === undefined) unanswered.push(call);
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? {}));
    } else {
      const name = extname(pathname) === '' ? 'index.html' : pathname;
      void readFile(join(root, name)).then(
        (file) => response.writeHead(200, { 'content-type': kinds[extname(name)] ?? 'text/plain' }).end(file),
        () => response.writeHead(404).end(),
      );
    }
  });
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
