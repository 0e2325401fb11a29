import { ProviderError } from '#kernel/errors.ts';

/** Network failures below HTTP, as ProviderErrors, for every adapter. */

/** Converts a socket, resolver or TLS failure. All leave the outcome unknown, so all are transient. */
export function networkFailure(cause: unknown, host: string): ProviderError {
  const code = codeIn(cause);
  if (/^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/.test(code)) {
    return new ProviderError(
      'transient',
      'TLS',
      `The secure connection to ${host} failed: ${tlsReason(code)}. Nothing was sent.`,
      { cause },
    );
  }
  // An address that swallows packets must look like one that refuses them.
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return unreachable(host, cause);
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return timedOut(host, cause);
  if (/ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_ABORTED|ERR_STREAM_PREMATURE_CLOSE|HPE_/.test(code)) {
    return new ProviderError(
      'transient',
      'CONNECTION_LOST',
      `The connection to ${host} was lost. We'll check what was saved, then try again.`,
      { cause },
    );
  }
  return unreachable(host, cause);
}

/** One text for "no such host", "nobody listens" and "address not allowed", so that it tells nothing about a network. */
export function unreachable(host: string, cause?: unknown): ProviderError {
  return new ProviderError(
    'transient',
    'UNREACHABLE',
    `No server responds at ${host}, or it is on a private network. Holdfast doesn't connect to private addresses. Check the address.`,
    { cause },
  );
}

export function timedOut(host: string, cause?: unknown): ProviderError {
  return new ProviderError('transient', 'TIMEOUT', `${host} took too long to respond. We'll try again.`, { cause });
}

export function aborted(cause: unknown): ProviderError {
  return new ProviderError('transient', 'ABORTED', 'Stopped before the server responded.', { cause });
}

export function tooMuchData(host: string): ProviderError {
  return new ProviderError('transient', 'TOO_LARGE', `${host} sent too much data. Nothing was changed.`);
}

export function badAnswer(reason: string, cause?: unknown): ProviderError {
  return new ProviderError(
    'transient',
    'BAD_ANSWER',
    `We couldn't read the server's response: ${reason}. Nothing was changed.`,
    { cause },
  );
}

function tlsReason(code: string): string {
  if (/EXPIRED/.test(code)) return 'its certificate has expired';
  if (/ALTNAME|HOSTNAME/.test(code)) return 'its certificate belongs to another name';
  if (/SELF_SIGNED|DEPTH_ZERO/.test(code)) return 'its certificate is self-signed';
  if (/UNABLE_TO|INVALID_CA|CERT_/.test(code)) return 'its certificate cannot be verified';
  return "it doesn't support our encryption";
}

/** Error codes hide some causes deep, and in the parts of an AggregateError (several addresses tried). */
function codeIn(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth === 4) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeIn(error instanceof AggregateError ? error.errors[0] : error.cause, depth + 1);
}
