import { expect, test } from 'vitest';
import { features } from '../features.ts';
import { needsOwnHand } from './own-hand.ts';

const served = features.flatMap((feature) => (feature.routes ?? []).flat()).map(({ endpoint }) => endpoint);
const closed = served.filter(needsOwnHand).map(({ method, path }) => `${method} ${path}`);

test('routes for credentials, exports, and billing are closed during impersonation', () => {
  expect(closed).toEqual(
    expect.arrayContaining([
      'POST /api/account/password',
      'POST /api/account/email',
      'POST /api/account/reauthenticate',
      'POST /api/account/passkeys',
      'POST /api/account/identities',
      'POST /api/account/deletion',
      'POST /api/account/export',
      'GET /api/account/export/{exportId}/file',
      'DELETE /api/account/sessions/{sessionId}',
      'POST /auth/mfa/enroll/init',
      'POST /auth/mfa/disable',
      'GET /api/published-feeds',
      'POST /api/workflows/credentials',
      'POST /api/account/billing/portal',
      'POST /api/billing/checkout',
    ]),
  );
});

test('routes for profile and calendar data stay open during impersonation', () => {
  for (const open of ['GET /api/account/trail', 'GET /api/billing', 'PATCH /api/account/profile', 'POST /events'])
    expect(closed).not.toContain(open);
  expect(closed.length).toBeLessThan(served.length / 4);
});
