import { ownPath } from '#kernel/own-path.ts';
import type { SignInProvider } from './sign-in-providers.ts';

/** Where a provider sends browsers back to. Registered there letter by letter. */
export const redirectUriOf = (publicUrl: string, provider: SignInProvider) =>
  `${publicUrl}/auth/oauth/${provider}/callback`;

/** Binds a journey to its use and its provider: what was begun at one is not ended at another (GHSA-x445-f3h2-j279). */
export const signInPurpose = (provider: SignInProvider) => `sign-in ${provider}`;

/** bound to the asking session: a sign-out, or a new sign-in, restarts the linking */
export const linkPurpose = (provider: SignInProvider, { userId, sessionId }: { userId: string; sessionId: string }) =>
  `link ${provider} ${userId} ${sessionId}`;

/** Data that travels with the browser to the provider and back. */
export interface JourneyState {
  /** The page that was wanted before it was asked who comes. */
  from: string | null;
  /** The browser's zone, for a new account. */
  zone: string | null;
  /** The token of the link that makes the first administrator. */
  setup: string | null;
}

/**
 * Reasons for a return without a sign-in. Codes, not sentences, so that a forged address cannot show text of its own.
 */
export const returnProblems = [
  'DENIED', // the person said no
  'REFUSED', // the provider did
  'REGISTRATION', // the provider does not accept our registration
  'STALE', // begun elsewhere, too long ago, or used
  'UNREACHABLE',
  'LIMITED',
  'NOT_CONFIGURED',
  'KEY_REQUIRED', // a simulated provider, in a browser that did not open the printed address
  'IDENTITY_TAKEN',
  'TOO_MANY_IDENTITIES',
] as const;
export type ReturnProblem = (typeof returnProblems)[number];

/** The page on which identities are linked; the others are for strangers. */
const securityPage = '/profile/security';

export function problemAddress(problem: ReturnProblem, provider: SignInProvider, isSignedIn: boolean): string {
  return address(isSignedIn ? securityPage : '/login', { problem, provider });
}

export const linkedAddress = (provider: SignInProvider) => address(securityPage, { linked: provider });

/** The page that exchanges the token, once, for a session. */
export function tokenAddress(provider: SignInProvider, token: string, from: string | null): string {
  const wanted = ownPath(from);
  return address('/', { token, provider, ...(wanted === null ? {} : { from: wanted }) });
}

const address = (page: string, query: Record<string, string>) => `${page}?${new URLSearchParams(query).toString()}`;
