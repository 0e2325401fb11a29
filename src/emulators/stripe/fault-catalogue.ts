import { answering, type CataloguedFault } from '#emulators/kit/fault-table.ts';
import type { Effect } from '#emulators/kit/faults.ts';
import { errorReply, invalidKey, rateLimited, type StripeError, serverError } from './errors.ts';

const error = (problem: StripeError): Effect => answering(errorReply(problem));

/** `write` is what changes something; `api` all. */
export const groupsOf = (routes: readonly { operation: string; method: string }[]) => ({
  api: [...new Set(routes.map(({ operation }) => operation))],
  write: [...new Set(routes.filter(({ method }) => method !== 'GET').map(({ operation }) => operation))],
});

/** Faults that a client of Stripe must handle. */
export const faults: Record<string, CataloguedFault> = {
  unreachable: { op: 'api', variants: { reset: { kind: 'reset' }, timeout: { kind: 'stall' } } },
  'lost-answer': { op: 'write', phase: 'after', variants: { reset: { kind: 'reset' }, timeout: { kind: 'stall' } } },
  'too-many': { op: 'api', variants: { second: error(rateLimited()) } },
  refused: { op: 'api', variants: { key: error(invalidKey('sk_test_revoked')) } },
  broken: { op: 'api', variants: { server: error(serverError()), unavailable: { kind: 'status', status: 503 } } },
};
