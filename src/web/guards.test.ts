import { QueryClient } from '@tanstack/react-query';
import { isRedirect, type ParsedLocation } from '@tanstack/react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { sessionKey } from '#features/accounts/rules/session.ts';
import { createFakeApi } from './fake-api.ts';
import {
  type GuardInput,
  goHome,
  HOME,
  requireAdmin,
  requireChallenge,
  requireChallengeOrUser,
  requireGuest,
  requireUser,
  wishOf,
} from './guards.ts';
import type { SessionUser } from './session.ts';

afterEach(() => vi.unstubAllGlobals());

type Who = 'nobody' | 'user' | 'admin';
type Guard = (input: GuardInput) => Promise<void>;

const methods = { google: 'off', microsoft: 'off', apple: 'soon', zoho: 'soon' };

/** Where the guard sends this person on from this address; null when they may stay. */
async function askedBy(guard: Guard, who: Who, href: string, challenge?: string): Promise<string | null> {
  const api = createFakeApi({ 'GET /api/sign-in-methods': { body: methods } });
  vi.stubGlobal('fetch', api.fetch);
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
    await guard({ context: { queryClient }, location });
    return null;
  } catch (error) {
    if (!isRedirect(error)) throw error;
    expect(error.options.replace).toBe(true);
    const { to, search, href: wish } = error.options as { to?: string; search?: Record<string, string>; href?: string };
    return wish ?? `${to}?${new URLSearchParams(search).toString()}`.replace(/\?$/, '');
  }
}

test('a stranger is asked to sign in at the door of what they wanted, which is remembered', async () => {
  expect(await askedBy(requireUser, 'nobody', '/meetings?scope=past')).toBe('/login?from=%2Fmeetings%3Fscope%3Dpast');
  expect(await askedBy(requireAdmin, 'nobody', '/admin/users')).toBe('/admin/login?from=%2Fadmin%2Fusers');
});

test('the administration is for administrators only', async () => {
  expect(await askedBy(requireAdmin, 'user', '/admin')).toBe('/login');
  expect(await askedBy(requireAdmin, 'admin', '/admin')).toBeNull();
  expect(await askedBy(requireUser, 'admin', '/meetings')).toBeNull();
});

test('whoever is signed in goes on from the sign-in page to what they wanted', async () => {
  expect(await askedBy(requireGuest, 'nobody', '/login')).toBeNull();
  expect(await askedBy(requireGuest, 'user', '/login')).toBe('/dashboard');
  expect(await askedBy(requireGuest, 'user', '/login?from=/meetings')).toBe('/meetings');
  expect(await askedBy(requireGuest, 'admin', '/admin/login')).toBe('/admin');
  expect(await askedBy(requireGuest, 'admin', '/admin/login?from=/admin/users')).toBe('/admin/users');
});

test('the page to sign in knows its buttons before it stands, or does without', async () => {
  for (const body of [methods, { nonsense: true }]) {
    const api = createFakeApi({ 'GET /api/sign-in-methods': { body } });
    vi.stubGlobal('fetch', api.fetch);
    const queryClient = new QueryClient();
    queryClient.setQueryData(sessionKey, null);
    const location = { pathname: '/login', search: {} } as unknown as ParsedLocation;
    await requireGuest({ context: { queryClient }, location });
    expect(queryClient.getQueryData(['access', 'sign-in-methods'])).toEqual(body === methods ? methods : undefined);
  }
});

test('the door of administrators has no buttons of providers, and waits for none', async () => {
  const api = createFakeApi({});
  vi.stubGlobal('fetch', api.fetch);
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionKey, null);
  const location = { pathname: '/admin/login', search: {} } as unknown as ParsedLocation;
  await requireGuest({ context: { queryClient }, location });
  expect(api.calls).toEqual([]);
});

test('at the door of administrators an ordinary person may sign in as one', async () => {
  expect(await askedBy(requireGuest, 'user', '/admin/login')).toBeNull();
});

test('a second factor is asked for only after a first one', async () => {
  expect(await askedBy(requireChallenge, 'nobody', '/mfa/verify?from=/meetings')).toBe('/login?from=%2Fmeetings');
  expect(await askedBy(requireChallenge, 'user', '/mfa/verify?from=/meetings')).toBe('/meetings');
  expect(await askedBy(requireChallenge, 'nobody', '/mfa/verify', 'challenge')).toBeNull();
});

test('a second factor is set up on the way in or by somebody signed in', async () => {
  expect(await askedBy(requireChallengeOrUser, 'nobody', '/mfa/enroll')).toBe('/login');
  expect(await askedBy(requireChallengeOrUser, 'nobody', '/mfa/enroll', 'challenge')).toBeNull();
  expect(await askedBy(requireChallengeOrUser, 'user', '/mfa/enroll')).toBeNull();
});

test('after signing in nobody is led to another site', () => {
  for (const from of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    ' //evil.example',
    'javascript:alert(1)',
    `/${'x'.repeat(3_000)}`,
    'calendar',
    '',
    undefined,
    7,
    ['//evil.example'],
  ]) {
    expect(wishOf({ from }), String(from)).toBe('/dashboard');
  }
});

test('an address that only looks strange is followed', () => {
  for (const from of ['/meetings?next=https://evil.example', '/calendar?day=2026-11-21#top', '/@evil.example']) {
    expect(wishOf({ from })).toBe(from);
  }
});

test('at the address of the product itself a stranger sees the landing page, which is no screen', async () => {
  const replace = vi.fn();
  vi.stubGlobal('location', { replace });
  void askedBy(goHome, 'nobody', '/');
  await vi.waitFor(() => expect(replace).toHaveBeenCalledWith('/home'));
  expect(await askedBy(goHome, 'user', '/')).toBe(HOME);
});
