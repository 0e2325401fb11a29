import type { Effect, FaultMatch, FaultRule } from '#emulators/kit/faults.ts';
import { errorReply, GraphError } from './graph-errors.ts';
import { oauthErrorReply } from './oauth-errors.ts';

/** Operations under names of their own, for faults that concern several. */
export const operationGroups: Readonly<Record<string, readonly string[]>> = {
  write: ['create-event', 'update-event', 'delete-event', 'respond'],
  delta: ['delta'],
  list: ['list-calendars', 'list-events', 'calendar-view', 'list-instances', 'delta'],
  read: [
    'list-calendars',
    'get-calendar',
    'list-events',
    'calendar-view',
    'list-instances',
    'delta',
    'get-event',
    'get-schedule',
  ],
  api: [
    'me',
    'list-calendars',
    'get-calendar',
    'list-events',
    'calendar-view',
    'list-instances',
    'delta',
    'get-event',
    'get-schedule',
    'create-event',
    'update-event',
    'delete-event',
    'respond',
    'batch',
    'create-subscription',
    'renew-subscription',
    'reauthorize-subscription',
    'delete-subscription',
    'list-subscriptions',
  ],
};

interface Entry {
  /** Without a variant; default the first. */
  preset?: string;
  /** Operation that the fault applies to by default. */
  op?: string | string[];
  phase?: 'after';
  delayMs?: number;
  variants: Record<string, Effect | { delayMs: number }>;
}

const graphError = (status: number, code: string, message: string, headers: Record<string, string> = {}): Effect => {
  const reply = errorReply(new GraphError(status, code, message, { headers }), 0, undefined);
  return { kind: 'status', status, headers: reply.headers, body: reply.body };
};
const oauthError = (error: string, code: number): Effect => {
  const { status, headers, body } = oauthErrorReply({ error, code }, 0);
  return { kind: 'status', status, headers, body };
};
const quirk = (name: string): Effect => ({ kind: 'quirk', quirk: name });
const status = (code: number): Effect => ({ kind: 'status', status: code });

const limit = 'Application is over its MailboxConcurrency limit.';
const notFound = graphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.');
const throttledFor = (seconds: string) => graphError(429, 'ApplicationThrottled', limit, { 'retry-after': seconds });

/** The catalog's faults that are answers to a request. Unsolicited behavior of Graph (M19) is an act. */
const catalogue: Record<string, Entry> = {
  F1: { variants: { reset: { kind: 'reset' }, timeout: { kind: 'stall' } } },
  F2: {
    preset: 'reset',
    op: 'write',
    phase: 'after',
    variants: { reset: { kind: 'reset' }, timeout: { kind: 'stall' }, '502': status(502) },
  },
  F3: { preset: '503', variants: { '503': status(503), '500': status(500), '502': status(502), '504': status(504) } },
  F4: { variants: { truncated: { kind: 'truncated', keep: 0.5 }, html: { kind: 'login-page' } } },
  F5: { variants: { slow: { kind: 'slow', bytesPerSecond: 1 }, headers: { delayMs: 30_000 } } },
  F6: { op: 'delta', variants: { repeated: quirk('repeated-rows'), shuffled: quirk('shuffled') } },
  M1: {
    preset: '700082',
    op: 'token',
    variants: {
      '700082': oauthError('invalid_grant', 700082),
      '50173': oauthError('invalid_grant', 50173),
      '65001': oauthError('invalid_grant', 65001),
      '70008': oauthError('invalid_grant', 70008),
      interaction_required: oauthError('interaction_required', 50076),
      consent_required: oauthError('consent_required', 65001),
    },
  },
  M2: {
    preset: '7000222',
    op: 'token',
    variants: { '7000222': oauthError('invalid_client', 7000222), '7000215': oauthError('invalid_client', 7000215) },
  },
  M3: { op: 'token', variants: { valid: quirk('lost-token'), revoked: quirk('lost-token-revoked') } },
  M4: { op: 'api', variants: { once: quirk('token-refused') } },
  M5: {
    preset: '1',
    op: 'api',
    variants: {
      '1': throttledFor('1'),
      '300': throttledFor('300'),
      date: quirk('throttled-date'),
      absent: graphError(429, 'ApplicationThrottled', limit),
      TooManyRequests: graphError(429, 'TooManyRequests', 'Too many requests.', { 'retry-after': '5' }),
      '503': graphError(503, 'ServiceUnavailable', 'The service is temporarily unavailable.', { 'retry-after': '2' }),
    },
  },
  M6: { op: 'api', variants: { concurrency: throttledFor('1') } },
  M7: {
    op: 'delta',
    variants: {
      gone: quirk('reset-gone'),
      syncStateNotFound: quirk('reset-syncStateNotFound'),
      syncStateInvalid: quirk('reset-syncStateInvalid'),
      resyncRequired: quirk('reset-resyncRequired'),
    },
  },
  M8: { op: 'delta', variants: { alive: quirk('removed-alive') } },
  M9: { op: 'delta', variants: { 'no-master': quirk('no-master'), sparse: quirk('sparse-exceptions') } },
  M10: { op: 'delta', variants: { lag: quirk('lag') } },
  M11: {
    op: 'delta',
    variants: {
      repeated: quirk('repeated-rows'),
      stale: quirk('stale-copies'),
      'foreign-link': quirk('foreign-link'),
      'empty-page': quirk('empty-page'),
      wedged: quirk('wedged'),
    },
  },
  M12: {
    op: 'create-event',
    variants: {
      'bad-request': quirk('duplicate-bad-request'),
      conflict: quirk('duplicate-conflict'),
      replay: quirk('duplicate-replay'),
    },
  },
  M13: { preset: '412', op: 'update-event', variants: { '412': quirk('conflict-412'), '409': quirk('conflict-409') } },
  M14: {
    op: 'update-event',
    variants: {
      crossing: graphError(
        400,
        'ErrorOccurrenceCrossingBoundary',
        'Modified occurrence is crossing or overlapping adjacent occurrence.',
      ),
    },
  },
  M15: { op: ['get-event', 'update-event', 'delete-event'], variants: { gone: notFound } },
  M16: { op: 'api', variants: { 'regular-ids': quirk('regular-ids') } },
  M17: { op: 'read', variants: { custom: quirk('custom-zone'), unknown: quirk('unknown-zone') } },
  M18: {
    op: 'create-subscription',
    variants: {
      validation: graphError(400, 'ValidationError', 'Subscription validation request timed out.'),
      duplicate: quirk('duplicate'),
      denied: graphError(
        403,
        'ExtensionError',
        'Operation: Create; Exception: [Status Code: Forbidden; Reason: Forbidden]',
      ),
      gone: graphError(404, 'ResourceNotFound', 'The object was not found.'),
    },
  },
  M20: { preset: '429', op: 'batch', variants: { '429': quirk('batch-429'), '424': quirk('batch-424') } },
  M21: { op: 'api', variants: { 'no-mailbox': quirk('no-mailbox') } },
};

/** *Errors*: a name or a variant that the catalogue does not have. */
export function faultNamed(name: string, variant: string | undefined, match: FaultMatch): FaultRule {
  const entry = catalogue[name];
  if (!entry) {
    const hint = name === 'M19' ? ': what Graph sends unasked is done by the acts "lifecycle" and "notify"' : '';
    throw new Error(`Microsoft has no fault ${name}${hint}`);
  }
  const wanted = variant ?? entry.preset ?? Object.keys(entry.variants)[0]!;
  const effect = entry.variants[wanted];
  if (!effect) throw new Error(`${name} has the variants ${Object.keys(entry.variants).join(', ')}, not ${wanted}`);
  const { op, phase } = entry;
  const rule = { ...(op === undefined ? {} : { op }), ...(phase === undefined ? {} : { phase }), ...match };
  return 'kind' in effect ? { ...rule, effect } : { ...rule, ...effect, effect: { kind: 'none' } };
}
