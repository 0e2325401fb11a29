import { expect, test } from 'vitest';
import { accessContract } from '../../contract.ts';
import { accessCalls } from './call-access.ts';
import { readPlace, wishOf } from './use-entrance.ts';

const wish = (from: unknown) =>
  wishOf({ ...readPlace('/login', '', null), search: { from } as { from: string } }, 'user');

test('a sign-in never redirects to another site', () => {
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
    expect(wish(from), String(from)).toBe('/dashboard');
  }
});

test('a local address containing a URL or @ is followed after sign-in', () => {
  for (const from of ['/meetings?next=https://evil.example', '/calendar?day=2026-11-21#top', '/@evil.example']) {
    expect(wish(from)).toBe(from);
  }
});

test('the calls of the auth pages match the contract', () => {
  for (const [name, path] of Object.entries(accessCalls)) {
    const { method, path: promised } = accessContract[name as keyof typeof accessCalls];
    expect([method, promised], name).toEqual(['POST', path]);
  }
});
