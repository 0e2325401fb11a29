import { describe, expect, it } from 'vitest';
import { returnAddress, withOutcome } from './rules/oauth-return.ts';

const served = { publicUrl: 'https://cal.example.org', environment: 'production' };

describe('the way back', () => {
  it.each([
    [undefined, 'https://cal.example.org/integrations'],
    ['/integrations?tab=1', 'https://cal.example.org/integrations?tab=1'],
    ['https://cal.example.org/x', 'https://cal.example.org/x'],
  ])('from %s is one of our pages', (wanted, address) => {
    expect(returnAddress(wanted, served)).toBe(address);
  });

  it.each([
    'https://evil.example/',
    '//evil.example/x',
    '/\\evil.example',
    'https://cal.example.org.evil.example/',
    'https://cal.example.org@evil.example/',
    'https://user:x@cal.example.org/',
    'http://cal.example.org/',
    'https://cal.example.org:8443/',
    'javascript:alert(1)',
    'data:text/html,x',
  ])('to %s is refused', (wanted) => {
    expect(returnAddress(wanted, served)).toBeNull();
  });

  it('may lead to another port of the same host while developing', () => {
    const developing = { publicUrl: 'http://localhost:3000', environment: 'development' };
    expect(returnAddress('http://localhost:5173/integrations', developing)).toBe('http://localhost:5173/integrations');
    expect(returnAddress('http://evil.example:5173/', developing)).toBeNull();
  });

  it('tells how it went without losing what was in the address', () => {
    const outcome = { connected: 'google', status: 'error', message: 'No & no' } as const;
    expect(withOutcome('https://cal.example.org/integrations?a=1', outcome)).toBe(
      'https://cal.example.org/integrations?a=1&connected=google&status=error&message=No+%26+no',
    );
  });
});
