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
 * Whether the person at this machine asks; null for everybody else. `kept`: the key came with the address and is in a
 * cookie now.
 */
export function findOperator(
  { keyring, config }: Keyed,
  request: FastifyRequest,
  reply: FastifyReply,
): 'known' | 'kept' | null {
  if (!isFromThisMachine(request) || !namesThisMachine(request)) return null;
  const key = operatorKey(keyring);
  const { access } = request.query as { access?: unknown };
  if (typeof access === 'string' && isSameSecret(access, key)) {
    const secure = config.publicUrl.startsWith('https:');
    void reply.setCookie(cookie, key, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: yearSeconds });
    return 'kept';
  }
  return hasOperatorKey({ keyring }, request) ? 'known' : null;
}

/** Whether the browser at this machine kept the key of a printed address. */
export function hasOperatorKey({ keyring }: Pick<App, 'keyring'>, request: FastifyRequest): boolean {
  if (!isFromThisMachine(request) || !namesThisMachine(request)) return false;
  return keepsOperatorKey({ keyring }, request.cookies);
}

/** Whether a browser kept the key, wherever it is: enough for a link to such a page. */
export const keepsOperatorKey = (
  { keyring }: Pick<App, 'keyring'>,
  cookies: Readonly<Record<string, string | undefined>>,
): boolean => isSameSecret(cookies[cookie] ?? '', operatorKey(keyring));

/** *Errors*: AppError not-found for everybody but the person at this machine, as for an address that is not there. */
export function requireOperator(app: Keyed, request: FastifyRequest, reply: FastifyReply): void {
  if (findOperator(app, request, reply) === null) throw nothingHere();
}

export const nothingHere = () => new AppError('not-found', 'NOT_FOUND', 'Not found.');

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
