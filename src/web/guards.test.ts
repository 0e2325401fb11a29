import { QueryClient } from '@tanstack/react-query';
import { isNotFound, isRedirect, type ParsedLocation } from '@tanstack/react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { sessionKey } from '#features/accounts/rules/session.ts';
import { HOME } from './guards.ts';
import type { SessionUser } from './session.ts';

afterEach(() => vi.unstubAllGlobals());

/** Work that waits for no answer is done by then. */
const aFrame = () => new Promise(requestAnimationFrame);

type Who = 'nobody' | 'user' | 'admin';
type Guard = 'requireUser' | 'hideFromStrangers' | 'requireAdmin' | 'requireChallengeOrUser' | 'goHome';

/** Where the guard sends this person on from this address; null when they may stay. */
async function askedBy(guard: Guard, who: Who, href: string, challenge?: string): Promise<string | null> {
  vi.resetModules(); // whether the app is left is remembered
  const guards = await import('./guards.ts');
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
    return await Promise.race([left, guards[guard]({ context: { queryClient }, location }).then(() => null)]);
  } catch (error) {
    if (isNotFound(error)) return 'nothing';
    if (!isRedirect(error)) throw error;
    expect(error.options.replace).toBe(true);
    return String(error.options.to);
  }
}

test('a protected page redirects a signed-out visitor to its sign-in with a return address', async () => {
  expect(await askedBy('requireUser', 'nobody', '/meetings?scope=past')).toBe('/login?from=%2Fmeetings%3Fscope%3Dpast');
  expect(await askedBy('requireAdmin', 'nobody', '/admin/users')).toBe('/admin/login?from=%2Fadmin%2Fusers');
});

test('an unknown address is not found for a signed-out visitor, instead of asking for sign-in', async () => {
  expect(await askedBy('hideFromStrangers', 'nobody', '/dana-le')).toBe('nothing');
  expect(await askedBy('hideFromStrangers', 'user', '/reports')).toBe(null);
});

test('admin pages are open to administrators only', async () => {
  expect(await askedBy('requireAdmin', 'user', '/admin')).toBe(HOME);
  expect(await askedBy('requireAdmin', 'admin', '/admin')).toBeNull();
  expect(await askedBy('requireUser', 'admin', '/meetings')).toBeNull();
});

test('second-factor setup is open to a sign-in challenge or a signed-in user', async () => {
  expect(await askedBy('requireChallengeOrUser', 'nobody', '/mfa/enroll')).toBe('/login?from=%2Fmfa%2Fenroll');
  expect(await askedBy('requireChallengeOrUser', 'nobody', '/mfa/enroll', 'challenge')).toBeNull();
  expect(await askedBy('requireChallengeOrUser', 'user', '/mfa/enroll')).toBeNull();
});

test('the root address leads a signed-out visitor to the landing page and a user home', async () => {
  expect(await askedBy('goHome', 'nobody', '/')).toBe('/home');
  expect(await askedBy('goHome', 'user', '/')).toBe(HOME);
});

test('signing out leaves no return address for the next user', async () => {
  vi.resetModules();
  const [{ requireUser }, { leaveApp }] = await Promise.all([import('./guards.ts'), import('#ui/leave-app.ts')]);
  const replace = vi.fn();
  vi.stubGlobal('location', { replace });
  void leaveApp('/login');
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionKey, null);
  const stayed = requireUser({ context: { queryClient }, location: { href: '/billing' } as ParsedLocation });
  expect(await Promise.race([stayed, aFrame().then(() => 'waits')])).toBe('waits');
  expect(replace.mock.calls).toEqual([['/login']]);
});

test('a guard redirects nobody during sign-out, and redirects again if sign-out fails', async () => {
  vi.resetModules();
  const [{ requireUser }, { signOut }] = await Promise.all([import('./guards.ts'), import('./session.ts')]);
  const replace = vi.fn();
  vi.stubGlobal('location', { replace });
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => promise);
  const queryClient = new QueryClient();
  const leaving = signOut(queryClient);
  const { isLeavingApp } = await import('#ui/leave-app.ts');
  await expect.poll(isLeavingApp, { message: 'whether the app is being left' }).toBe(true);
  queryClient.setQueryData(sessionKey, null);
  const input = { context: { queryClient }, location: { href: '/billing' } as ParsedLocation };
  void requireUser(input);
  await aFrame();
  expect(replace).not.toHaveBeenCalled();
  resolve(Response.json({ detail: { code: 'UNAVAILABLE', message: 'Not now.', fields: {} } }, { status: 503 }));
  await expect(leaving).rejects.toThrow('Not now.');
  void requireUser(input);
  await expect.poll(() => replace.mock.calls).toEqual([['/login?from=%2Fbilling']]);
});
