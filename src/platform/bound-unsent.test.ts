import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../test/harness/wait-for.ts';
import { boundUnsent } from './end-unread.ts';
import { sendError } from './error-page.ts';

const megabyte = 1024 * 1024;
/** More than the system takes for a connection that nobody reads. */
const answerBytes = 24 * megabyte;

async function serve() {
  const server = fastify({ trustProxy: true, forceCloseConnections: true });
  boundUnsent(server, { ofNetwork: 30 * megabyte, inAll: 60 * megabyte });
  server.setErrorHandler(sendError);
  server.get('/large', (_request, reply) => reply.header('etag', '"1"').send(Buffer.alloc(answerBytes)));
  server.get('/small', (_request, reply) => reply.send('small'));
  await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  const ask = async (network: string, path = '/large') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-forwarded-for': network } });
    const body = await answer.arrayBuffer();
    return { status: answer.status, bytes: body.byteLength, etag: answer.headers.get('etag'), answer };
  };
  /** Asks for the large answer, and takes nothing of it. */
  const leaveUnread = async (network: string): Promise<Socket> => {
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    onTestFinished(() => void client.destroy());
    client.write(`GET /large HTTP/1.1\r\nhost: local\r\nx-forwarded-for: ${network}\r\n\r\n`);
    await once(client, 'readable');
    return client;
  };
  return { ask, leaveUnread };
}

test('a network that leaves large answers unread is refused more of them, and other networks are answered', async () => {
  const { ask, leaveUnread } = await serve();
  const client = await leaveUnread('198.51.100.1');
  const refused = await ask('198.51.100.1');
  expect([refused.status, refused.etag, refused.answer.headers.get('retry-after')]).toEqual([429, null, '5']);
  expect((await ask('198.51.100.1', '/small')).status).toBe(200);
  expect(await ask('198.51.100.2')).toMatchObject({ status: 200, bytes: answerBytes });
  client.destroy();
  await waitFor('room for the network', async () => (await ask('198.51.100.1')).status === 200);
});

test('unread answers of many networks together have a bound', async () => {
  const { ask, leaveUnread } = await serve();
  await leaveUnread('198.51.100.1');
  const client = await leaveUnread('198.51.100.2');
  expect((await ask('198.51.100.3')).status).toBe(429);
  expect((await ask('198.51.100.3', '/small')).status).toBe(200);
  client.destroy();
  await waitFor('room for others', async () => (await ask('198.51.100.3')).status === 200);
});
