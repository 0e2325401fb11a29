import { expect, it } from 'vitest';
import { tokenAddress } from './provider-return.ts';

it.each([
  ['/meetings?tab=past', '/meetings?tab=past'],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['/\t/evil.example', null],
  ['/.//evil.example', null],
  ['https://evil.example', null],
  ['javascript:alert(1)', null],
  ['@evil.example', null],
  [`/${'x'.repeat(10_000)}`, null],
])('CVE-2025-71403: the return from a provider redirects only to pages of this site (%j)', (from, wanted) => {
  const address = new URL(tokenAddress('google', 't', from), 'http://own.example');
  expect(address.origin).toBe('http://own.example');
  expect(address.searchParams.get('from')).toBe(wanted);
});
