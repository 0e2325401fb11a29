import { QueryClient } from '@tanstack/react-query';
import { isRedirect, type ParsedLocation } from '@tanstack/react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { sessionKey } from '#features/accounts/rules/session.ts';
import { type GuardInput, goHome, HOME, requireAdmin, requireChallengeOrUser, requireUser } from './guards.ts';
import type { SessionUser } from './session.ts';

afterEach(() => vi.unstubAllGlobals());

type Who = 'nobody' | 'user' | 'admin';
type Guard = (input: GuardInput) => Promise<void>;

/** Where the guard sends this person on from this address; null when they may stay. */
async function askedBy(guard: Guard, who: Who, href: string, challenge?: string): Promise<string | null> {
  const left = new Promise<string>((resolve) => vi.stubGlobal('location', { replace: resolve }));
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionKey, who === 'nobody' ? null : ({ role: who } as SessionUser));
  const url = new URL(href, 'http://holdfast.test');
  const location = {
    href,
    pathname: url.pathname,
    search: Object.fromEntries(url.searchParams),
    state: { challenge },
  } as unknown as ParsedLocation;
  try {
    return await Promise.race([left, guard({ context: { queryClient }, location }).then(() => null)]);
  } catch (error) {
    if (!isRedirect(error)) throw error;
    expect(error.options.replace).toBe(true);
    return String(error.options.to);
  }
}

test('a stranger is asked to sign in at the door of what they wanted, which is remembered', async () => {
  expect(await askedBy(requireUser, 'nobody', '/meetings?scope=past')).toBe('/login?from=%2Fmeetings%3Fscope%3Dpast');
  expect(await askedBy(requireAdmin, 'nobody', '/admin/users')).toBe('/admin/login?from=%2Fadmin%2Fusers');
});

test('the administration is for administrators only', async () => {
  expect(await askedBy(requireAdmin, 'user', '/admin')).toBe(HOME);
  expect(await askedBy(requireAdmin, 'admin', '/admin')).toBeNull();
  expect(await askedBy(requireUser, 'admin', '/meetings')).toBeNull();
});

test('a second factor is set up on the way in or by somebody signed in', async () => {
  expect(await askedBy(requireChallengeOrUser, 'nobody', '/mfa/enroll')).toBe('/login?from=%2Fmfa%2Fenroll');
  expect(await askedBy(requireChallengeOrUser, 'nobody', '/mfa/enroll', 'challenge')).toBeNull();
  expect(await askedBy(requireChallengeOrUser, 'user', '/mfa/enroll')).toBeNull();
});

test('at the address of the product itself a stranger sees the landing page, which is no screen', async () => {
  expect(await askedBy(goHome, 'nobody', '/')).toBe('/home');
  expect(await askedBy(goHome, 'user', '/')).toBe(HOME);
});
