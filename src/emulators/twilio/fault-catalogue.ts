import { answering, type CataloguedFault } from '#emulators/kit/fault-table.ts';
import type { Effect } from '#emulators/kit/faults.ts';
import {
  badRecipient,
  errorReply,
  notMobile,
  suspended,
  type TwilioError,
  tooMany,
  unauthorized,
  unavailable,
  unsubscribed,
} from './errors.ts';

export const operationGroups = {
  api: ['account.fetch', 'messages.create', 'messages.list', 'messages.fetch', 'numbers.list'],
};

const error = (problem: TwilioError): Effect => answering(errorReply(problem));

/** Faults that a client of Twilio must handle. */
export const faults: Record<string, CataloguedFault> = {
  unreachable: { op: 'api', variants: { reset: { kind: 'reset' }, timeout: { kind: 'stall' } } },
  // the message was made, and its sender does not learn of it
  'lost-answer': {
    op: 'messages.create',
    phase: 'after',
    variants: { reset: { kind: 'reset' }, timeout: { kind: 'stall' }, gateway: { kind: 'status', status: 502 } },
  },
  'too-many': { op: 'api', variants: { bare: error(tooMany()), told: error(tooMany('7')) } },
  broken: {
    op: 'api',
    variants: {
      unavailable: error(unavailable()),
      error: { kind: 'status', status: 500 },
      page: { kind: 'login-page' },
    },
  },
  refused: { op: 'api', variants: { token: error(unauthorized()), suspended: error(suspended()) } },
  '21211': { op: 'messages.create', variants: { error: error(badRecipient('+1')) } },
  '21610': { op: 'messages.create', variants: { error: error(unsubscribed()) } },
  '21614': { op: 'messages.create', variants: { error: error(notMobile('+1')) } },
};
