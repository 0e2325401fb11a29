import { answering, type CataloguedFault } from '#emulators/kit/fault-table.ts';
import type { Effect } from '#emulators/kit/faults.ts';
import { conflict, errorReply, type HubspotError, missingScopes, rateLimited, unauthenticated } from './errors.ts';

export const operationGroups = {
  api: ['account.read', 'properties.read', 'properties.create', 'objects.upsert', 'associations.create'],
  write: ['objects.upsert', 'associations.create'],
};

const error = (problem: HubspotError): Effect => answering(errorReply(problem));

/** Faults that a client of HubSpot must handle. */
export const faults: Record<string, CataloguedFault> = {
  unreachable: { op: 'api', variants: { reset: { kind: 'reset' }, timeout: { kind: 'stall' } } },
  'lost-answer': { op: 'write', phase: 'after', variants: { reset: { kind: 'reset' }, timeout: { kind: 'stall' } } },
  'too-many': {
    op: 'api',
    variants: {
      second: error(rateLimited('TEN_SECONDLY_ROLLING', { 'retry-after': '10' })),
      bare: error(rateLimited('TEN_SECONDLY_ROLLING')),
      daily: error(rateLimited('DAILY')),
    },
  },
  conflict: { op: 'write', variants: { same: error(conflict('Contact already exists. Existing ID: 1')) } },
  refused: {
    op: 'api',
    variants: { token: error(unauthenticated()), scopes: error(missingScopes(['crm.objects.contacts.write'])) },
  },
  broken: {
    op: 'api',
    variants: { unavailable: { kind: 'status', status: 503 }, gateway: { kind: 'status', status: 502 } },
  },
};
