import { lazy, Suspense } from 'react';
import { loadWords } from './i18n.ts';
import type { SessionUser } from './session.ts';

// For few people, so nobody else pays for them.
const MfaNotice = lazy(async () => ({ default: (await import('./mfa-notice.tsx')).MfaNotice }));
const ImpersonationBar = lazy(async () => {
  const [bar] = await Promise.all([import('./impersonation-bar.tsx'), loadWords('impersonation')]);
  return { default: bar.ImpersonationBar };
});

/** Warns about missing account protection, and about an impersonation. */
export function SecurityNotice({ user }: { user: SessionUser }) {
  const lacksMfa = user.role === 'admin' && !user.mfaEnabled;
  if (!user.impersonatedUntil && !lacksMfa) return null;
  return <Suspense>{user.impersonatedUntil ? <ImpersonationBar user={user} /> : <MfaNotice />}</Suspense>;
}
