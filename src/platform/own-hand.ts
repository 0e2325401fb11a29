import type { Endpoint } from '#kernel/contract.ts';

/** What may be read or kept of an account in its person's place. */
const open = new Set([
  'GET /auth/profile',
  'POST /auth/logout',
  'GET /api/account/profile',
  'PATCH /api/account/profile',
  'PATCH /api/account/preferences',
  'GET /api/account/mail-troubles',
  'GET /api/account/devices',
  'GET /api/account/sessions',
  'GET /api/account/trail',
  'GET /api/account/mfa',
  'GET /api/account/passkeys',
  'GET /api/account/identities',
  'GET /api/account/export',
  'GET /api/billing',
]);

/** Who somebody is and how they prove it, what they take with them and pay for, and what opens their data to whoever has it. */
const closed = /^\/(?:auth|api\/account|api\/billing|api\/published-feeds|api\/workflows\/credentials)(?:\/|$)/;

/**
 * Whether only a person's own hand may do this, never an administrator in their place: all of the above but what is named,
 * and whatever asks for a recent proof.
 */
export function needsOwnHand({ method, path, errors = [] }: Pick<Endpoint, 'method' | 'path' | 'errors'>): boolean {
  return errors.includes('REAUTHENTICATE') || (closed.test(path) && !open.has(`${method} ${path}`));
}
