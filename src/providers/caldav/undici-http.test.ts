import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createSafeFetch } from '#platform/fetch.ts';
import { createLog } from '#platform/log.ts';
import { caldavHttpOver } from './undici-http.ts';

it('asks ten questions over two connections at most, REPORT included', async () => {
  let connections = 0;
  const server = createServer((request, response) => {
    request
      .resume()
      .on('end', () => response.writeHead(207, { 'content-type': 'application/xml' }).end('<multistatus/>'));
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const log = await createLog({ level: 'silent', format: 'json' });
  const safe = createSafeFetch({ allowPrivate: [`127.0.0.1:${port}`], log });
  const http = caldavHttpOver(safe.dispatcher);
  const { signal } = new AbortController();
  for (const method of ['PROPFIND', ...Array<string>(9).fill('REPORT')]) {
    const url = `http://127.0.0.1:${port}/calendar/`;
    const { status, body } = await http({ method, url, headers: {}, body: '<a/>', signal, maxBytes: 1_000 });
    if (typeof body !== 'string') for await (const _ of body);
    expect(status).toBe(207);
  }
  // the second where the next question comes before the first socket is known to be free
  expect(connections).toBeLessThanOrEqual(2);
  await safe.close();
  server.close();
});
