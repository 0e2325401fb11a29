import { lazy, Suspense } from 'react';
import type { SessionUser } from './session.ts';

// For few people, so nobody else pays for it.
const MfaNotice = lazy(async () => ({ default: (await import('./mfa-notice.tsx')).MfaNotice }));

/** What an account lacks to be safe. */
export function SecurityNotice({ user }: { user: SessionUser }) {
  if (user.role !== 'admin' || user.mfaEnabled) return null;
  return (
    <Suspense>
      <MfaNotice />
    </Suspense>
  );
}
