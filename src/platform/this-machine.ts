import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { AppError } from '#kernel/errors.ts';
import { isLoopbackHost } from '#kernel/loopback-host.ts';
import type { App } from './app.ts';
import { isSameSecret } from './crypto.ts';

/** Pages for the person at this machine. A proxy on it that adds no header looks like them, so they bring a key. */

const cookie = 'holdfast-operator';
const yearSeconds = 31_536_000;

type Keyed = Pick<App, 'keyring' | 'config'>;

/** The address of such a page as the start prints it. A browser that opens it keeps the key. */
export function addressWithKey({ keyring, config }: Keyed, path: string): string {
  return `${config.publicUrl}${path}?access=${operatorKey(keyring)}`;
}

/**
 * Lets the person at this machine in. `kept`: the key came with the address and is in a cookie now.
 * *Errors*: AppError not-found, as for an address that is not there.
 */
export function requireOperator(
  { keyring, config }: Keyed,
  request: FastifyRequest,
  reply: FastifyReply,
): 'known' | 'kept' {
  if (isFromThisMachine(request) && namesThisMachine(request)) {
    const key = operatorKey(keyring);
    const { access } = request.query as { access?: unknown };
    if (typeof access === 'string' && isSameSecret(access, key)) {
      const secure = config.publicUrl.startsWith('https:');
      void reply.setCookie(cookie, key, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: yearSeconds });
      return 'kept';
    }
    if (isSameSecret(request.cookies[cookie] ?? '', key)) return 'known';
  }
  throw new AppError('not-found', 'NOT_FOUND', 'There is nothing here.');
}

const operatorKey = (keyring: App['keyring']) => keyring.derive('pages of this machine').toString('base64url');

/** Whether a request was made on this machine, and not passed on by a proxy that says so. */
export function isFromThisMachine({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  const address = socket.remoteAddress ?? '';
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded ?? headers.via;
  return forwarded === undefined && isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback';
}

/** Whether it names this machine: a page elsewhere whose name was made to point here does not. */
function namesThisMachine({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const hostname = URL.parse(`http://${headers.host}`)?.hostname ?? '';
  return isLoopbackHost(hostname);
}
