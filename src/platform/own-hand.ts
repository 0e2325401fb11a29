import type { Endpoint } from '#kernel/contract.ts';

/**
 * Writes that an administrator may do in a person's place: leave, look, preview, repeat what the person set up, and correct
 * the profile. A new write is closed until it is named here.
 */
const openWrites = new Set([
  'POST /auth/logout',
  'POST /api/impersonation/end',
  'PATCH /api/account/profile',
  'PATCH /api/account/preferences',
  'POST /api/free-times',
  'POST /api/guest-times',
  'POST /api/mirror-groups/preview',
  'POST /api/contacts/imports/preview',
  'POST /api/routing/test',
  'POST /api/workflows/preview',
  'POST /api/calendars/sync/{accountId}',
  'POST /mirrors/{eventId}/resync',
  'POST /api/mirrors/resync',
  'POST /api/mirrors/{mirrorId}/retry',
  'POST /api/notices/read',
  'PATCH /api/first-steps',
]);

/** Reads below a closed path that stay open. */
const openReads = new Set([
  'GET /auth/profile',
  'GET /api/account/profile',
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

/** Reads that prove an identity, connect an account, give money matters, or show a secret address. */
const closedReads =
  /^\/(?:auth|provider|api\/account|api\/billing|api\/booking-links|api\/published-feeds|api\/workflows\/credentials)(?:\/|$)/;

/**
 * Whether only the person may call this, never an administrator in their place: every write that is not named, the reads
 * above, every file, and all that asks for a recent proof. Public calls outside `/auth` act for nobody and stay open.
 */
export function needsOwnHand({ method, path, auth, sendsFile, errors = [] }: NeededParts): boolean {
  const call = `${method} ${path}`;
  if (errors.includes('REAUTHENTICATE') || sendsFile !== undefined) return true;
  if (method === 'GET') return closedReads.test(path) && !openReads.has(call);
  if (auth === 'public' && !path.startsWith('/auth/')) return false;
  return !openWrites.has(call);
}

type NeededParts = Pick<Endpoint, 'method' | 'path' | 'auth' | 'errors' | 'sendsFile'>;
