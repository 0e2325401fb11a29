import type { Screen } from '#ui/screen.ts';
import { readGuestSearch } from './frame/guest-search.ts';
import { readProviderOutcome } from './providers/provider-outcome.ts';

export const accessScreens: readonly Screen[] = [
  {
    path: '/mfa/enroll',
    title: 'access.enroll.title.secret',
    guard: 'challenged-or-user',
    search: readGuestSearch,
    load: async () => (await import('./pages/mfa-enroll-page.tsx')).MfaEnrollPage,
  },
  {
    path: '/profile/security',
    title: 'security.title',
    guard: 'user',
    words: ['access'],
    search: readProviderOutcome,
    load: async () => (await import('./security-page.tsx')).SecurityPage,
  },
];

/** The dialog of the shell for actions that require a recent proof of identity. */
export const loadProofDialog = async () => (await import('./proof-dialog.tsx')).ProofDialog;
