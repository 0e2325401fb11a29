import { type Reply, type Request, reply } from './exchange.ts';

/** What a request asks for, as faults and the ledger name it. */
export type Operation =
  | 'create'
  | 'update'
  | 'delete'
  | 'get'
  | 'propfind'
  | 'sync-collection'
  | 'multiget'
  | 'query'
  | 'mkcalendar'
  | 'other';

/** `before`: the world stays as it was. `after`: the request was applied, and the client may not learn of it. */
export type Phase = 'before' | 'after';

export type Effect =
  | { kind: 'reset' }
  /** No answer, ever; the socket stays open. */
  | { kind: 'stall' }
  | { kind: 'status'; status: number; retryAfter?: string; body?: string; contentType?: string; location?: string }
  /** The status and headers of the true answer, then only this share of its body. */
  | { kind: 'truncated'; keep: number }
  | { kind: 'login-page' }
  | { kind: 'slow'; bytesPerSecond: number }
  /** Parked until the control plane lets it go: where a test kills the client. */
  | { kind: 'hold' };

export interface FaultRule {
  /** Absent: every operation. `put` is create and update, `write` also delete. */
  op?: Operation | 'put' | 'write';
  /** Only below this path. */
  path?: string;
  /** The first matching request that fails, counted from 1 when the rule is set. Default 1. */
  nth?: number;
  /** How many in a row; 0 = from then on. Default 1. */
  times?: number;
  phase?: Phase;
  effect: Effect;
}

export interface ArmedFault extends FaultRule {
  id: number;
  seen: number;
  struck: number;
}

export function operationOf(request: Request): Operation {
  switch (request.method) {
    case 'PUT':
      return request.headers['if-match'] === undefined ? 'create' : 'update';
    case 'DELETE':
      return 'delete';
    case 'GET':
    case 'HEAD':
      return 'get';
    case 'PROPFIND':
      return 'propfind';
    case 'MKCALENDAR':
      return 'mkcalendar';
    case 'REPORT': {
      const head = request.body.slice(0, 300);
      if (head.includes('sync-collection')) return 'sync-collection';
      return head.includes('multiget') ? 'multiget' : 'query';
    }
    default:
      return 'other';
  }
}

/** Counts the request against every rule and gives the first that strikes. */
export function strike(rules: ArmedFault[], request: Request, operation: Operation): ArmedFault | null {
  let striking: ArmedFault | null = null;
  for (const rule of rules) {
    if (!concerns(rule, request, operation)) continue;
    rule.seen += 1;
    const first = rule.nth ?? 1;
    const times = rule.times ?? 1;
    if (striking || rule.seen < first || (times !== 0 && rule.seen >= first + times)) continue;
    rule.struck += 1;
    striking = rule;
  }
  return striking;
}

function concerns(rule: FaultRule, request: Request, operation: Operation): boolean {
  if (rule.path !== undefined && !request.path.startsWith(rule.path)) return false;
  if (rule.op === undefined || rule.op === operation) return true;
  const isPut = operation === 'create' || operation === 'update';
  return (rule.op === 'put' && isPut) || (rule.op === 'write' && (isPut || operation === 'delete'));
}

export function replyOf(effect: Extract<Effect, { kind: 'status' | 'login-page' }>): Reply {
  if (effect.kind === 'login-page') {
    const page = '<!doctype html><html><head><title>Sign in</title></head><body><form>Password</form></body></html>';
    return reply(200, { 'content-type': 'text/html; charset=utf-8' }, page);
  }
  const headers: Record<string, string> = { 'content-type': effect.contentType ?? 'text/html' };
  if (effect.retryAfter !== undefined) headers['retry-after'] = effect.retryAfter;
  if (effect.location !== undefined) headers.location = effect.location;
  if (effect.status === 401) headers['www-authenticate'] = 'Basic realm="calendars"';
  return reply(effect.status, headers, effect.body ?? `<html><body><h1>${effect.status}</h1></body></html>`);
}
