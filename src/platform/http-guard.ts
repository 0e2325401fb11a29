import type { IncomingMessage } from 'node:http';
import { AppError } from '#kernel/errors.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses what another site made a browser send. A Bearer token is never sent by a browser on its own, so such requests
 * are exempt; so are those without a cookie and without a browser's headers (they carry nobody's authority).
 * *Errors*: AppError forbidden, `CROSS_SITE`.
 */
export function refuseCrossSite(request: IncomingMessage, publicOrigin: string, hasCookie: boolean): void {
  if (safeMethods.has(request.method ?? '') || /^bearer /i.test(request.headers.authorization ?? '')) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return;
    throw crossSite();
  }
  // Browsers leave Sec-Fetch-Site out on plain http addresses other than localhost: a calendar server at home.
  const { origin, host } = request.headers;
  if (origin !== undefined) {
    if (origin === publicOrigin || (host !== undefined && URL.parse(origin)?.host === host.toLowerCase())) return;
    throw crossSite();
  }
  if (hasCookie) throw crossSite();
}

function crossSite(): AppError {
  return new AppError('forbidden', 'CROSS_SITE', 'This request came from another site and was blocked.');
}

/**
 * Refuses requests whose form is only used to confuse a proxy in front.
 * *Errors*: AppError invalid.
 */
export function refuseSmuggling(request: IncomingMessage): void {
  let hosts = 0;
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    if (request.rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1 || !request.url?.startsWith('/')) {
    throw new AppError('invalid', 'INVALID_INPUT', 'The request is ambiguous.');
  }
}
