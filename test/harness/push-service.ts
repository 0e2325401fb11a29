import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, randomUUID, verify } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Subscription } from '#features/inbox/contract.ts';
import { createSafeFetch, type SafeFetch } from '#platform/fetch.ts';
import type { Log } from '#platform/log.ts';

/**
 * A push service as browsers have one, and the browsers: RFC 8030 (what is sent), 8291 (how it is encrypted), 8292 (who
 * sends it). Written from the documents, with nothing of what the product uses to send.
 */

/** Where the product believes it to be. */
export const pushOrigin = 'https://push.example.org';

interface Browser {
  subscription: Subscription;
  privateKey: string;
}

export interface Pushed {
  browser: string;
  /** The decrypted message. */
  message: { title: string; body: string; to: string; tag: string };
  ttl: number;
  urgency: string | undefined;
  topic: string | undefined;
  /** Public key of the sender. */
  sender: string;
  subject: string;
  bytes: number;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
}

export interface PushService {
  /** Subscribes to messages of this key's holder; returns the subscription that a browser gives the page. */
  subscribe(applicationServerKey: string): Subscription;
  /** Valid messages in order of arrival. */
  readonly pushed: readonly Pushed[];
  /** Why messages were refused. */
  readonly refused: readonly string[];
  /** Sets the answers to the next messages instead of 201; `cut`: the message is accepted without an answer. */
  say(...answers: (Answer | 'cut')[]): void;
  /** The product's own fetch, to which this service stands at its public address. */
  fetch(log: Log): SafeFetch;
  close(): Promise<void>;
}

export async function startPushService(nowMs: () => number): Promise<PushService> {
  const browsers = new Map<string, Browser & { key: string }>();
  const pushed: Pushed[] = [];
  const refused: string[] = [];
  const answers: (Answer | 'cut')[] = [];

  const take = (request: IncomingMessage, body: Buffer): Answer => {
    const id = /^\/device\/(.+)$/.exec(request.url ?? '')?.[1] ?? '';
    const browser = browsers.get(id);
    if (browser === undefined) return { status: 404 };
    try {
      const { headers } = request;
      const { sender, subject } = checkVapid(headers.authorization ?? '', nowMs());
      if (sender !== browser.key) throw new Error('the key is not the one that the browser agreed to');
      if (headers['content-encoding'] !== 'aes128gcm') throw new Error('not aes128gcm');
      if (body.length > 4_096) throw new Error('longer than 4,096 bytes');
      const ttl = Number(headers.ttl);
      if (!Number.isInteger(ttl) || ttl < 0) throw new Error('no TTL');
      const topic = headers.topic as string | undefined;
      if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) throw new Error('not a topic');
      const message = JSON.parse(decrypt(body, browser)) as Pushed['message'];
      const urgency = headers.urgency as string | undefined;
      pushed.push({ browser: id, message, ttl, urgency, topic, sender, subject, bytes: body.length });
      return { status: 201, headers: { location: `${pushOrigin}/message/${randomUUID()}` } };
    } catch (error) {
      refused.push((error as Error).message);
      return { status: 400 };
    }
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const said = answers.shift();
      if (said === 'cut') {
        take(request, Buffer.concat(chunks));
        response.socket?.resetAndDestroy();
        return;
      }
      const { status, headers = {} } = said ?? take(request, Buffer.concat(chunks));
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const local = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    pushed,
    refused,
    subscribe(key) {
      const id = randomUUID();
      const pair = createECDH('prime256v1');
      const p256dh = pair.generateKeys('base64url');
      const subscription = {
        endpoint: `${pushOrigin}/device/${id}`,
        keys: { p256dh, auth: randomBytes(16).toString('base64url') },
      };
      browsers.set(id, { subscription, privateKey: pair.getPrivateKey('base64url'), key });
      return subscription;
    },
    say: (...next) => void answers.push(...next),
    fetch(log) {
      const safe = createSafeFetch({ allowPrivate: [local], log });
      return {
        ...safe,
        request: (request) => safe.request({ ...request, url: request.url.replace(pushOrigin, `http://${local}`) }),
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Source: RFC 8292 2 and 3. */
function checkVapid(authorization: string, nowMs: number): { sender: string; subject: string } {
  const [, token = '', sender = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, string | number>;
  if (read(header).alg !== 'ES256') throw new Error('not ES256');
  const point = Buffer.from(sender, 'base64url');
  if (point.length !== 65 || point[0] !== 4) throw new Error('not a point of P-256');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x as string, y: y as string }, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the signature is wrong');
  const { aud, exp, sub } = read(claims);
  if (aud !== pushOrigin) throw new Error(`meant for ${aud}`);
  const leftSeconds = Number(exp) - nowMs / 1_000;
  if (!(leftSeconds > 0 && leftSeconds <= 86_400)) throw new Error('over, or good for longer than a day');
  if (!/^(?:mailto:[^@]+@[^@]+|https:.+)$/.test(String(sub))) throw new Error('nobody to turn to');
  return { sender, subject: String(sub) };
}

/** Source: RFC 8291 3.4 and 4; RFC 8188 2. */
function decrypt(body: Buffer, { subscription: { keys }, privateKey }: Browser): string {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  if (record.length > recordSize) throw new Error('more than one record');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey, 'base64url');
  const shared = pair.computeSecret(senderKey);
  const derive = (secret: Buffer, saltOf: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, saltOf, info, bytes));
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), Buffer.from(keys.p256dh, 'base64url'), senderKey]);
  const input = derive(shared, Buffer.from(keys.auth, 'base64url'), about, 32);
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('padded wrongly');
  return padded.subarray(0, end).toString('utf8');
}
