import type { Reply } from '#emulators/kit/exchange.ts';
import type { Effect, FaultMatch, FaultRule, Phase } from '#emulators/kit/faults.ts';
import {
  accessLevel,
  conditionNotMet,
  duplicate,
  errorReply,
  fullSyncRequired,
  GoogleError,
  gone,
  insufficientScopes,
  invalid,
  notFound,
  notOrganizer,
  rateLimited,
  unauthorized,
} from './errors.ts';
import { invalidClient, invalidGrant, invalidRapt } from './token.ts';

/** Names for several operations, for `op` of a fault. */
export const operationGroups = {
  write: ['events.insert', 'events.import', 'events.patch', 'events.update', 'events.delete', 'events.move'],
  change: ['events.patch', 'events.update'],
  token: ['token.code', 'token.refresh'],
  watch: ['events.watch', 'calendarList.watch'],
  list: ['events.list', 'calendarList.list'],
  api: [
    'events.list',
    'events.get',
    'events.instances',
    'events.insert',
    'events.import',
    'events.patch',
    'events.update',
    'events.delete',
    'events.move',
    'events.watch',
    'calendarList.list',
    'calendarList.get',
    'calendarList.watch',
    'calendars.get',
    'calendars.insert',
    'calendars.delete',
    'freebusy.query',
    'channels.stop',
    'batch',
  ],
};

interface Fault {
  op: string | string[];
  phase?: Phase;
  /** The variant where none is named; else the first. Names that are numbers are never first. */
  standard?: string;
  variants: Record<string, Effect>;
}

const answer = ({ status, headers, body }: Reply): Effect => ({ kind: 'status', status, headers, body });
const error = (problem: GoogleError): Effect => answer(errorReply(problem));
const page = (status: number): Effect => ({ kind: 'status', status });
const quirk = (name: string): Effect => ({ kind: 'quirk', quirk: name });
const RESET: Effect = { kind: 'reset' };
const STALL: Effect = { kind: 'stall' };

/** The faults of Google that the product must survive, by the names of the test plan. */
const CATALOGUE: Record<string, Fault> = {
  F1: { op: ['api', 'token'], variants: { reset: RESET, timeout: STALL } },
  F2: { op: 'write', phase: 'after', standard: 'reset', variants: { reset: RESET, timeout: STALL, '502': page(502) } },
  F3: {
    op: ['api', 'token'],
    standard: '503',
    variants: { '503': page(503), '500': page(500), '502': page(502), '504': page(504) },
  },
  F4: {
    op: 'api',
    variants: {
      truncated: { kind: 'truncated', keep: 0.5 },
      invalid: {
        kind: 'status',
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"kind": "calen',
      },
      'login-page': { kind: 'login-page' },
    },
  },
  F5: { op: 'api', variants: { slow: { kind: 'slow', bytesPerSecond: 1 }, late: { kind: 'none' } } },
  F6: {
    op: 'events.list',
    variants: { repeated: quirk('repeated-page'), shuffled: quirk('shuffled'), doubled: quirk('doubled-item') },
  },
  G1: { op: 'token.refresh', variants: { invalid_grant: answer(invalidGrant()) } },
  G2: { op: 'token.refresh', variants: { invalid_rapt: answer(invalidRapt()) } },
  G3: { op: 'token', variants: { invalid_client: answer(invalidClient()) } },
  G4: { op: 'token', standard: '503', variants: { '503': page(503), '500': page(500), timeout: STALL, reset: RESET } },
  G5: { op: 'api', variants: { authError: error(unauthorized()) } },
  G6: {
    op: 'api',
    standard: 'rateLimitExceeded',
    variants: {
      rateLimitExceeded: error(rateLimited('403 rateLimitExceeded')),
      userRateLimitExceeded: error(rateLimited('403 userRateLimitExceeded')),
      '429': error(rateLimited('429 rateLimitExceeded')),
    },
  },
  G7: {
    op: 'write',
    variants: {
      quotaExceeded: error(
        new GoogleError(403, 'quotaExceeded', 'Calendar usage limits exceeded.', { domain: 'usageLimits' }),
      ),
    },
  },
  G8: { op: 'api', variants: { insufficientPermissions: error(insufficientScopes()) } },
  G9: { op: 'change', variants: { forbiddenForNonOrganizer: error(notOrganizer()) } },
  G10: { op: 'list', variants: { fullSyncRequired: error(fullSyncRequired()) } },
  G11: {
    op: 'list',
    variants: { invalid: error(invalid('Invalid Value', { locationType: 'parameter', location: 'syncToken' })) },
  },
  G12: {
    op: 'events.list',
    variants: {
      'empty-page': quirk('empty-page'),
      'short-page': quirk('short-page'),
      'exceptions-first': quirk('exceptions-first'),
      'missing-item': quirk('missing-item'),
      endless: quirk('endless'),
      stale: quirk('stale'),
    },
  },
  G13: { op: 'events.insert', variants: { duplicate: error(duplicate()) } },
  G14: { op: 'events.insert', variants: { collision: quirk('undetected-collision') } },
  G15: { op: ['change', 'events.delete'], variants: { conditionNotMet: error(conditionNotMet()) } },
  G16: { op: 'events.delete', variants: { deleted: error(gone()), notFound: error(notFound()) } },
  G17: { op: 'api', variants: { notFound: error(notFound()), requiredAccessLevel: error(accessLevel()) } },
  G18: {
    op: 'watch',
    variants: {
      pushNotSupported: error(
        new GoogleError(
          400,
          'pushNotSupportedForRequestedResource',
          'Push notifications are not supported by this resource.',
          { domain: 'push' },
        ),
      ),
    },
  },
  G19: {
    op: 'watch',
    variants: {
      channelIdNotUnique: error(new GoogleError(400, 'channelIdNotUnique', 'Channel id not unique')),
      unauthorized: error(
        new GoogleError(401, 'push.webhookUrlUnauthorized', 'Unauthorized WebHook callback channel', {
          domain: 'push',
        }),
      ),
    },
  },
  // other faults of notifications are `deliver` commands of the control plane
  G20: { op: 'watch', variants: { 'sync-first': quirk('sync-first') } },
  // an early end of a channel is the act `expire-channels`
  G21: { op: 'channels.stop', variants: { notFound: error(notFound()) } },
};

export const faultNames: readonly string[] = Object.keys(CATALOGUE);

export function faultNamed(name: string, variant: string | undefined, match: FaultMatch): FaultRule {
  const fault = CATALOGUE[name];
  if (!fault) throw new Error(`no fault ${name}; there are ${faultNames.join(', ')}`);
  const chosen = variant ?? fault.standard ?? Object.keys(fault.variants)[0]!;
  const effect = fault.variants[chosen];
  if (!effect) throw new Error(`no variant ${chosen} of ${name}; there are ${Object.keys(fault.variants).join(', ')}`);
  const late = name === 'F5' && chosen === 'late' ? { delayMs: 30_000 } : {};
  return { op: fault.op, ...(fault.phase && { phase: fault.phase }), ...late, ...match, effect };
}
