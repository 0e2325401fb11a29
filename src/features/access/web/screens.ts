import type { QueryClient } from '@tanstack/react-query';
import type { Screen } from '#ui/screen.ts';
import { readGuestSearch, readLinkSearch, readSignUpSearch } from './guest-search.ts';
import { readProviderOutcome } from './provider-outcome.ts';

export const accessScreens: readonly Screen[] = [
  {
    path: '/login',
    title: 'access.signIn.title',
    guard: 'guest',
    search: readGuestSearch,
    load: async () => (await import('./sign-in-page.tsx')).SignInPage,
  },
  {
    path: '/admin/login',
    title: 'access.admin.title',
    guard: 'guest',
    search: readGuestSearch,
    load: async () => (await import('./admin-sign-in-page.tsx')).AdminSignInPage,
  },
  {
    path: '/signup',
    title: 'access.signUp.title',
    guard: 'guest',
    search: readSignUpSearch,
    load: async () => (await import('./sign-up-page.tsx')).SignUpPage,
  },
  {
    path: '/verify-email',
    title: 'access.verify.title',
    guard: 'public',
    search: readLinkSearch,
    load: async () => (await import('./verify-email-page.tsx')).VerifyEmailPage,
  },
  {
    path: '/password/forgot',
    title: 'access.forgot.title',
    guard: 'public',
    search: readGuestSearch,
    load: async () => (await import('./forgot-password-page.tsx')).ForgotPasswordPage,
  },
  {
    path: '/password/reset',
    title: 'access.reset.title',
    guard: 'public',
    search: readLinkSearch,
    load: async () => (await import('./reset-password-page.tsx')).ResetPasswordPage,
  },
  {
    path: '/mfa/verify',
    title: 'access.mfa.title',
    guard: 'challenged',
    search: readGuestSearch,
    load: async () => (await import('./mfa-verify-page.tsx')).MfaVerifyPage,
  },
  {
    path: '/mfa/enroll',
    title: 'access.enroll.title.secret',
    guard: 'challenged-or-user',
    search: readGuestSearch,
    load: async () => (await import('./mfa-enroll-page.tsx')).MfaEnrollPage,
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

/** Before a page to sign in stands, so that no button pushes its form down later. What fails here it does without. */
export async function fetchSignInMethods(queryClient: QueryClient): Promise<void> {
  const queries = await import('./queries.ts').catch(() => null);
  if (queries) await queryClient.prefetchQuery(queries.signInMethodsQuery);
}

/** What the shell shows when a sensitive act asks for a proof of who somebody is. */
export const loadProofDialog = async () => (await import('./proof-dialog.tsx')).ProofDialog;
