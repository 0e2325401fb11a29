import { ProviderError } from '#kernel/errors.ts';
import { parseHttpDate, retryAfterMs } from '#kernel/http-date.ts';
import { FetchError, type SafeFetch } from '#platform/fetch.ts';

/** One exchange through the SSRF-safe fetch: each address is checked again, redirects included. */
export type FeedHttp = SafeFetch['request'];

/** Validators that came with the file, for the next conditional request. Source: RFC 9110 13.1. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

export interface FetchedFeed extends Validators {
  bytes: Uint8Array;
  /** `Cache-Control: max-age`, in seconds. */
  maxAgeSeconds: number | undefined;
}

const maxRedirects = 5;
const longestWaitMs = 86_400_000;

/**
 * The feed's file, or null where it has not changed since `since`.
 *
 * *Errors*: ProviderError `auth` FEED_REFUSED and FEED_GONE (410), `rate-limited`, `rejected` for what is no feed,
 * `transient` for the rest. The address is a secret: no message holds more of it than the host.
 */
export async function fetchFeed(
  http: FeedHttp,
  url: string,
  since: Validators,
  signal: AbortSignal,
): Promise<FetchedFeed | null> {
  // some servers answer 500 to a client without a name, some send nothing unpacked
  const headers: Record<string, string> = {
    accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
    'accept-encoding': 'gzip',
    'user-agent': 'Holdfast (calendar subscription)',
  };
  if (since.etag !== undefined) headers['if-none-match'] = since.etag;
  if (since.lastModified !== undefined) headers['if-modified-since'] = since.lastModified;
  let at = url;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const answer = await exchange(http, at, headers, signal);
    const { status } = answer;
    if (status === 304) return null;
    const { location } = answer.headers;
    if (status >= 300 && status < 400 && location !== undefined) {
      at = redirectOf(at, location);
      continue;
    }
    if (status !== 200) throw refusal(status, hostOf(at), answer.headers);
    if (/^text\/html\b/i.test(answer.headers['content-type'] ?? '') && !looksLikeCalendar(answer.bytes)) {
      throw webPage(hostOf(at));
    }
    return {
      bytes: answer.bytes,
      etag: answer.headers.etag,
      lastModified: answer.headers['last-modified'],
      maxAgeSeconds: maxAgeOf(answer.headers['cache-control']),
    };
  }
  throw new ProviderError('transient', 'REDIRECTED', `${hostOf(at)} keeps redirecting. Check the address.`);
}

async function exchange(http: FeedHttp, url: string, headers: Record<string, string>, signal: AbortSignal) {
  try {
    return await http({ url, headers, signal });
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const kind = error.code === 'TOO_LARGE' ? 'rejected' : 'transient';
    throw new ProviderError(kind, error.code, adviceOn(error, hostOf(url)), { cause: error });
  }
}

/** A failure and its remedy. A name that does not exist reads like a server that does not answer. */
function adviceOn({ code, message }: FetchError, host: string): string {
  switch (code) {
    case 'UNREACHABLE':
      return `No server responds at ${host}, or it is on a private network. Holdfast doesn't connect to private addresses. Check the address.`;
    case 'TIMEOUT':
      return `${host} didn't respond in time. Its server may be busy. Try again in a few minutes.`;
    case 'TLS':
      return `${message} Contact the operator of ${host}.`;
    case 'TOO_LARGE':
      return `${message} Ask the publisher at ${host} for a shorter calendar, for example one without past events.`;
    default:
      return `${message} Check the address at ${host}, or try again later.`;
  }
}

/** A feed that was asked for over TLS is never read without it: its address is the only secret it has. */
function redirectOf(from: string, location: string): string {
  const target = URL.parse(location, from);
  if (target === null || !/^https?:$/.test(target.protocol)) {
    throw new ProviderError(
      'transient',
      'REDIRECTED',
      `${hostOf(from)} redirects to an invalid address. Check the address.`,
    );
  }
  if (target.protocol === 'http:' && from.startsWith('https:')) {
    throw new ProviderError(
      'transient',
      'REDIRECTED',
      `${hostOf(from)} redirects to an address without encryption. Enter an address that begins with https://.`,
    );
  }
  target.username = '';
  target.password = '';
  return target.href;
}

function refusal(status: number, host: string, headers: Record<string, string | undefined>): ProviderError {
  if (status === 404 || status === 410) {
    return new ProviderError(
      // 404 is what a publisher in trouble says too; 410 is meant
      status === 410 ? 'auth' : 'transient',
      'FEED_GONE',
      status === 410
        ? `${host} no longer publishes this calendar (410 Gone). Enter its new address, or disconnect it.`
        : `${host} has no calendar at this address (404 Not Found). Copy the address again from the page that publishes the calendar.`,
    );
  }
  if (status === 401 || status === 403) {
    return new ProviderError(
      'auth',
      'FEED_REFUSED',
      status === 401
        ? `${host} requires a sign-in at this address (401). Enter the secret or public address of the calendar.`
        : `${host} doesn't allow access to this calendar (403). Make it public there, or enter its secret address.`,
    );
  }
  if (status === 429 || status === 503) {
    // a date is one of the server's clock
    const sentMs = parseHttpDate(headers.date ?? '') ?? Number.POSITIVE_INFINITY;
    const waitMs = retryAfterMs(headers['retry-after'], sentMs) || undefined;
    return new ProviderError(
      'rate-limited',
      'TOO_MANY_REQUESTS',
      `${host} is limiting requests right now (${status}). Try again later.`,
      waitMs === undefined ? {} : { retryAfterMs: Math.min(waitMs, longestWaitMs) },
    );
  }
  // 206 among them: a part of a calendar says nothing of what it leaves out
  return new ProviderError(
    'transient',
    'BAD_ANSWER',
    `${host} responded with status ${status} and no calendar. Try again later, or check the address.`,
  );
}

export function webPage(host: string): ProviderError {
  return new ProviderError(
    'rejected',
    'NOT_A_FEED',
    `${host} shows a web page here instead of a calendar. Copy the address that ends in .ics or begins with webcal://.`,
  );
}

function looksLikeCalendar(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 200)).toString('latin1').includes('BEGIN:VCALENDAR');
}

function maxAgeOf(cacheControl: string | undefined): number | undefined {
  const found = /(?:^|[,\s])max-age=(\d{1,9})/i.exec(cacheControl ?? '');
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

export const hostOf = (url: string): string => new URL(url).host;
