import { type Reply, reply } from './exchange.ts';

/** Names of a request for faults and the ledger. */
export interface Asked {
  operation: string;
  account: string | null;
  calendar: string | null;
  /** The event, channel or subscription it is about, where it names one. */
  resource: string | null;
}

/** `before`: the world stays as it was. `after`: the request was applied, and the client may not learn of it. */
export type Phase = 'before' | 'after';

export type Effect =
  | { kind: 'reset' }
  /** No answer, ever; the socket stays open. */
  | { kind: 'stall' }
  /** A page for people where nothing else is said. `retryAfter`: seconds or an HTTP date. */
  | {
      kind: 'status';
      status: number;
      retryAfter?: string;
      location?: string;
      contentType?: string;
      headers?: Record<string, string>;
      body?: string;
    }
  /** The status and headers of the true answer, then only this share of its body. */
  | { kind: 'truncated'; keep: number }
  /** A page for people where a client expects data. */
  | { kind: 'login-page' }
  | { kind: 'slow'; bytesPerSecond: number }
  /** Parked until the control plane lets it go: where a test kills the client. */
  | { kind: 'hold' }
  /** Only `delayMs` happens. */
  | { kind: 'none' }
  /** The machine answers, but in this peculiar way: its own answer to a name it knows. */
  | { kind: 'quirk'; quirk: string };

export interface FaultMatch {
  /** Absent: every operation. A name, a group of names (`write`), or several. */
  op?: string | string[];
  account?: string;
  calendar?: string;
  /** Only below this path. */
  path?: string;
  /** The first matching request that fails, counted from 1 when the rule is set. Default 1. */
  nth?: number;
  /** How many in a row; 0 = from then on. Default 1. */
  times?: number;
  /** Each matching request fails with this probability; drawn from the emulator's seeded generator. Default 1. */
  probability?: number;
  phase?: Phase;
  /** Delay before anything happens to the request. */
  delayMs?: number;
}

export interface FaultRule extends FaultMatch {
  effect: Effect;
}

/** A fault of the catalogue by its name (`G6`), with a variant where it has several. */
export interface NamedFault extends FaultMatch {
  name: string;
  variant?: string;
}

export interface ArmedFault extends FaultRule {
  id: number;
  name: string | null;
  seen: number;
  struck: number;
}

export interface Striking {
  asked: Asked;
  path: string;
  /** Groups of operations by name. */
  groups: Readonly<Record<string, readonly string[]>>;
  random: () => number;
}

/** Counts the request against every rule and gives the first that strikes. */
export function strike(rules: readonly ArmedFault[], request: Striking): ArmedFault | null {
  let striking: ArmedFault | null = null;
  for (const rule of rules) {
    if (!concerns(rule, request)) continue;
    rule.seen += 1;
    const first = rule.nth ?? 1;
    const times = rule.times ?? 1;
    if (striking || rule.seen < first || (times !== 0 && rule.seen >= first + times)) continue;
    if (rule.probability !== undefined && request.random() >= rule.probability) continue;
    rule.struck += 1;
    striking = rule;
  }
  return striking;
}

function concerns(rule: FaultMatch, { asked, path, groups }: Striking): boolean {
  if (rule.path !== undefined && !path.startsWith(rule.path)) return false;
  if (rule.account !== undefined && rule.account !== asked.account) return false;
  if (rule.calendar !== undefined && rule.calendar !== asked.calendar) return false;
  if (rule.op === undefined) return true;
  const names = typeof rule.op === 'string' ? [rule.op] : rule.op;
  return names.some((name) => name === asked.operation || groups[name]?.includes(asked.operation));
}

/** The answer of an effect that stands for one; `challenge`: what a 401 asks for. */
export function replyOf(effect: Extract<Effect, { kind: 'status' | 'login-page' }>, challenge?: string): Reply {
  if (effect.kind === 'login-page') {
    const page = '<!doctype html><html><head><title>Sign in</title></head><body><form>Password</form></body></html>';
    return reply(200, { 'content-type': 'text/html; charset=utf-8' }, page);
  }
  const { status, retryAfter, location, contentType = 'text/html; charset=utf-8', body } = effect;
  const headers: Record<string, string> = { 'content-type': contentType, ...effect.headers };
  if (retryAfter !== undefined) headers['retry-after'] = retryAfter;
  if (location !== undefined) headers.location = location;
  if (status === 401 && challenge !== undefined) headers['www-authenticate'] = challenge;
  return reply(status, headers, body ?? `<!doctype html><html><body><h1>${status}</h1></body></html>`);
}
