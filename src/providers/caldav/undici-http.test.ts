import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createSafeFetch } from '#platform/fetch.ts';
import { createLog } from '#platform/log.ts';
import { caldavHttpOver } from './undici-http.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server that answers so, and the way to it. */
async function serve(answer: RequestListener) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const log = await createLog({ level: 'silent', format: 'json' });
  const safe = createSafeFetch({ allowPrivate: [`127.0.0.1:${port}`], log, connectionsPerOrigin: 2 });
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
    () => safe.close(),
  );
  const http = caldavHttpOver(safe.dispatcher);
  const put = (path: string, signal = new AbortController().signal, maxBytes = 1_000) =>
    http({ method: 'PUT', url: `http://127.0.0.1:${port}${path}`, headers: {}, body: 'text', signal, maxBytes });
  return { server, port, http, put };
}

it('ten requests use at most two connections, REPORT included', async () => {
  let connections = 0;
  const { server, port, http } = await serve((_, response) => {
    response.writeHead(207, { 'content-type': 'application/xml' }).end('<multistatus/>');
  });
  server.on('connection', () => {
    connections += 1;
  });
  const { signal } = new AbortController();
  for (const method of ['PROPFIND', ...Array<string>(9).fill('REPORT')]) {
    const url = `http://127.0.0.1:${port}/calendar/`;
    const { status, body } = await http({ method, url, headers: {}, body: '<a/>', signal, maxBytes: 1_000 });
    if (typeof body !== 'string') for await (const _ of body);
    expect(status).toBe(207);
  }
  // the second where the next question comes before the first socket is known to be free
  expect(connections).toBeLessThanOrEqual(2);
});

it('a write goes to its exact path and returns the whole response', async () => {
  const { put } = await serve((request, response) => {
    response.writeHead(201, { etag: '"1"', 'x-twice': ['a', 'b'] }).end(`caf\u00E9 ${request.method} ${request.url}`);
  });
  for (const path of ['/a/b.ics', '/a%20b/%C3%A9.ics?x=1', '/a;b/(c).ics', '/a@b/c.ics']) {
    const answer = await put(path);
    expect(answer).toMatchObject({ status: 201, body: `caf\u00E9 PUT ${path}` });
    expect(answer.headers).toMatchObject({ etag: '"1"', 'x-twice': 'a, b' });
  }
  expect((await put('/a/../b')).body).toBe('caf\u00E9 PUT /b');
});

it('an aborted write ends whether it runs or waits for a socket, and a response over its limit is refused', async () => {
  let unanswered = 0;
  const { put } = await serve((request, response) => {
    if (request.url === '/never') unanswered += 1;
    if (request.url === '/long') response.end('x'.repeat(2_000));
    if (request.url === '/short') response.end();
  });
  const controller = new AbortController();
  const writes = ['/never', '/never', '/waits'].map((path) => put(path, controller.signal));
  const ended = Promise.allSettled(writes);
  await expect.poll(() => unanswered, { message: 'writes that take both sockets' }).toBe(2);
  controller.abort(new Error('enough'));
  for (const { status, reason } of (await ended) as PromiseRejectedResult[]) {
    expect(status).toBe('rejected');
    expect(reason).toMatchObject({ message: 'enough' });
  }
  await expect(put('/long')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  await expect(put('/short', AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  expect(await put('/short')).toMatchObject({ status: 200, body: '' });
});
