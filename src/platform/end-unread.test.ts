import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { endUnread } from './end-unread.ts';

async function serve(answer: RequestListener) {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  onTestFinished(() => void client.destroy());
  client.write('GET / HTTP/1.1\r\nhost: local\r\nconnection: close\r\n\r\n');
  const [socket] = await accepted;
  return { client, socket };
}

test('a connection that does not read its answer is ended', async () => {
  const { socket } = await serve((_request, response) => {
    endUnread(response, 200);
    response.end(Buffer.alloc(64 * 1024 * 1024));
  });
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

test('an answer that takes longer than a connection may leave one unread still arrives', async () => {
  const { client } = await serve((_request, response) => {
    endUnread(response, 50);
    response.once('timeout', () => response.end('late'));
  });
  let text = '';
  client.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(client, 'close');
  expect(text).toContain('late');
});
