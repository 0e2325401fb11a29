/** One HTTP request as a state machine sees it. `path` is the raw request target without its query. */
export interface Request {
  method: string;
  path: string;
  query: string;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body: string;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request that the emulator itself sends: a notification, or a question before it can answer. */
export interface Call {
  method: 'POST' | 'GET';
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * The answer of a call. `status` null: no connection, no answer in time, or an address that the emulator does not call.
 */
export interface Heard {
  status: number | null;
  body: string;
  tookMs: number;
  contentType?: string;
}

export function reply(status: number, headers: Record<string, string> = {}, body = ''): Reply {
  return { status, headers, body };
}

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** No page frames it: a click in a frame comes from the page itself. */
export function htmlReply(status: number, body: string): Reply {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "frame-ancestors 'none'" };
  return { status, headers, body };
}

/** `303 See Other` after a form, so that going back does not send it again. Source: RFC 9110 section 15.4.4. */
export function seeOther(location: string): Reply {
  return { status: 303, headers: { location }, body: '' };
}
