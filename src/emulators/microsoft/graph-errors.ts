import { hash } from 'node:crypto';
import { jsonReply, type Reply } from '#emulators/kit/exchange.ts';
import { printLocalDateTime } from '#kernel/time/local.ts';

/** Thrown where a request cannot be answered; becomes Graph's JSON error. Source: "Microsoft Graph error responses". */
export class GraphError extends Error {
  status: number;
  code: string;
  headers: Record<string, string>;
  /** Further members of `error`, such as `@event.existingEventId`. */
  more: Record<string, unknown>;

  constructor(
    status: number,
    code: string,
    message: string,
    { headers = {}, more = {} }: { headers?: Record<string, string>; more?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.more = more;
  }
}

export function errorReply(error: GraphError, nowMs: number, clientRequestId: string | undefined): Reply {
  const requestId = guidOf(`${nowMs} ${error.code} ${clientRequestId}`);
  const innerError = {
    date: printLocalDateTime(nowMs),
    'request-id': requestId,
    'client-request-id': clientRequestId ?? requestId,
  };
  return jsonReply(
    error.status,
    { error: { code: error.code, message: error.message, ...error.more, innerError } },
    { 'request-id': requestId, 'client-request-id': innerError['client-request-id'], ...error.headers },
  );
}

/** GUIDs made of what they stand for: the same run gives the same ones. */
export function guidOf(text: string): string {
  const hex = hash('sha256', text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const itemNotFound = () =>
  new GraphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.');

export const accessDenied = () =>
  new GraphError(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.');

export const badRequest = (code: string, message: string) => new GraphError(400, code, message);
