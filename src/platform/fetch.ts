import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, buildConnector, type Dispatcher, request as undiciRequest } from 'undici';
import { allowedHosts, canonicalHost, isPublicAddress } from './addresses.ts';
import type { Log } from './log.ts';

/**
 * Requests to addresses that people enter. Names are resolved here, every address must be public (or the host allowed
 * by configuration), and the connection goes to the very address that was checked. Redirects are never followed.
 */
export interface SafeFetch {
  /** Connects only where it may; for adapters with an HTTP client of their own. Pools are bounded and kept alive. */
  readonly dispatcher: Dispatcher;
  /** One exchange with the whole answer, decompressed. *Errors*: FetchError. */
  request(request: FetchRequest): Promise<FetchAnswer>;
  close(): Promise<void>;
}

export interface FetchRequest {
  url: string;
  /** Default GET. */
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Ceiling of the decompressed body; default 10 MB. */
  maxBytes?: number;
  /** For everything from resolving the name to the last byte; default 30 s. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface FetchAnswer {
  status: number;
  /** Lower-case names; a repeated header joined with a comma. */
  headers: Record<string, string>;
  bytes: Uint8Array;
  /** The bytes as UTF-8. */
  readonly body: string;
}

export type FetchErrorCode = 'UNREACHABLE' | 'TLS' | 'TIMEOUT' | 'TOO_LARGE' | 'BAD_ANSWER';

/**
 * Reason for a missing answer. A forbidden address has the same code and text as a silent one, against probing of the
 * server's network. The log tells them apart (`cause`).
 */
export class FetchError extends Error {
  readonly code: FetchErrorCode;

  constructor(code: FetchErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'FetchError';
    this.code = code;
  }
}

/** Inside a FetchError, or straight from the dispatcher: the address or port is not one we call. */
export class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor(host: string, port: number, why: string) {
    super(`${host}:${port} is not called: ${why}`);
    this.name = 'AddressRefusedError';
  }
}

export interface SafeFetchOptions {
  /** `host:port` that may be private. */
  allowPrivate: readonly string[];
  log: Log;
  /** Connections to one origin at most. */
  connectionsPerOrigin?: number;
  lookup?: (host: string) => Promise<{ address: string; family: number }[]>;
}

const publicPorts = new Set([80, 443, 8443]);
const defaultMaxBytes = 10_000_000;
const defaultTimeoutMs = 30_000;

export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const allowed = allowedHosts(options.allowPrivate);
  const resolve = options.lookup ?? ((host: string) => systemLookup(host, { all: true }));

  /** Gives `net.connect` the addresses that were checked; it asks for nothing else. */
  function pinnedLookup(port: number): LookupFunction {
    return (host, wanted, done) => {
      checkedAddresses(host, port).then(
        (addresses) => {
          const [first] = addresses;
          if (wanted.all) done(null, addresses);
          else done(null, first?.address ?? '', first?.family ?? 4);
        },
        (error: NodeJS.ErrnoException) => done(error, []),
      );
    };
  }

  async function checkedAddresses(host: string, port: number) {
    const addresses = await resolve(host);
    if (!allowed.has(host, port) && !addresses.every(({ address }) => isPublicAddress(address))) {
      throw refused(host, port, 'not every address of it is public');
    }
    return addresses;
  }

  function refused(host: string, port: number, why: string) {
    const error = new AddressRefusedError(host, port, why);
    options.log.warn({ host, port, why }, 'an address was not called');
    return error;
  }

  const connectors = new Map<number, buildConnector.connector>();
  function connectorOf(port: number): buildConnector.connector {
    const known = connectors.get(port);
    if (known) return known;
    const made = buildConnector({
      timeout: 10_000,
      lookup: pinnedLookup(port),
      allowH2: false,
    } as buildConnector.BuildOptions);
    connectors.set(port, made);
    return made;
  }

  const dispatcher = new Agent({
    connections: options.connectionsPerOrigin ?? 8,
    pipelining: 1,
    maxOrigins: 2_000,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 120_000,
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
    maxHeaderSize: 65_536,
    connect(target, done) {
      const host = canonicalHost(target.hostname);
      const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
      if (target.socketPath) return done(refused(host, port, 'it is a socket of this machine'), null);
      if (!allowed.has(host, port)) {
        if (!publicPorts.has(port)) return done(refused(host, port, 'the port is not allowed'), null);
        // A literal address is connected to without a look-up, so it is looked at here.
        if (isIP(host) !== 0 && !isPublicAddress(host))
          return done(refused(host, port, 'the address is not public'), null);
      }
      return connectorOf(port)(target, done);
    },
  });

  async function request(given: FetchRequest): Promise<FetchAnswer> {
    const url = URL.parse(given.url);
    if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
      throw unreachable(new Error('not an http or https address, or one with a password in it'));
    }
    const deadline = AbortSignal.timeout(given.timeoutMs ?? defaultTimeoutMs);
    const signal = given.signal ? AbortSignal.any([deadline, given.signal]) : deadline;
    try {
      const response = await undiciRequest(url, {
        dispatcher,
        method: (given.method ?? 'GET') as Dispatcher.HttpMethod,
        headers: { 'user-agent': 'Holdfast', ...given.headers },
        body: given.body ?? null,
        signal,
      });
      const headers = joined(response.headers);
      const bytes = await readBytes(response.body, headers['content-encoding'], given.maxBytes ?? defaultMaxBytes);
      return {
        status: response.statusCode,
        headers,
        bytes,
        get body() {
          return bytes.toString('utf8');
        },
      };
    } catch (error) {
      if (given.signal?.aborted) throw given.signal.reason;
      throw error instanceof FetchError ? error : toFetchError(error, deadline.aborted);
    }
  }

  return { dispatcher, request, close: () => dispatcher.destroy() };
}

const decoders: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Counts what comes out of the decompression, so that a small answer cannot become a large one. */
async function readBytes(body: Readable, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  // Destroying it early emits an error that nobody else may be there to take; the one that counts is thrown below.
  body.on('error', () => undefined);
  let plain: Readable = body;
  if (encoding !== undefined && encoding !== 'identity') {
    const decoder = decoders[encoding.toLowerCase()]?.();
    if (!decoder) {
      body.destroy();
      throw new FetchError(
        'BAD_ANSWER',
        `The server's response uses an unsupported encoding (${encoding.slice(0, 40)}).`,
      );
    }
    body.on('error', (error) => decoder.destroy(error));
    plain = body.pipe(decoder);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes)
        throw new FetchError('TOO_LARGE', `The response is larger than ${Math.round(maxBytes / 1e6)} MB.`);
      chunks.push(chunk);
    }
  } finally {
    // The connection goes with it when we stop early: nobody reads the rest.
    if (!body.readableEnded) body.destroy();
  }
  return Buffer.concat(chunks, size);
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) out[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return out;
}

/** TLS errors that people can mend, by the code of Node or OpenSSL. */
const tlsReasons: Record<string, string> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the chain of its certificate is incomplete',
  UNABLE_TO_GET_ISSUER_CERT: 'the chain of its certificate is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an authority that is not trusted here',
  CERT_REVOKED: 'its certificate was revoked',
};

/** The words for a failed handshake, or undefined for what is none. */
export function tlsReason(code: string): string | undefined {
  return (
    tlsReasons[code] ??
    (/^ERR_(SSL|TLS)_|^EPROTO$|^CERT_/.test(code) ? 'no secure connection could be agreed on' : undefined)
  );
}

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
const badAnswers = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|Z_|ERR__?BROTLI|ERR_BROTLI)/;

function toFetchError(cause: unknown, deadlinePassed: boolean): FetchError {
  const code = codeOf(cause);
  // Connecting is where an address that swallows packets would differ from one that refuses.
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return unreachable(cause);
  if (deadlinePassed || timeouts.has(code))
    return new FetchError('TIMEOUT', "The server didn't respond in time.", { cause });
  const reason = tlsReason(code);
  if (reason) return new FetchError('TLS', `The server's certificate is not trusted: ${reason}.`, { cause });
  if (badAnswers.test(code)) return new FetchError('BAD_ANSWER', 'The server sent an unreadable response.', { cause });
  return unreachable(cause);
}

function unreachable(cause: unknown): FetchError {
  return new FetchError('UNREACHABLE', 'The server could not be reached.', { cause });
}

const neverConnected = new Set([
  'ADDRESS_REFUSED',
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns the error code of a request that was never sent; null if it may have been sent. */
export function whyNotSent(error: unknown): string | null {
  const code = codeOf(error instanceof FetchError ? error.cause : error);
  return neverConnected.has(code) ? code : null;
}

function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return '';
}
