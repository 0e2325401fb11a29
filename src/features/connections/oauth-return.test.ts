import { describe, expect, it } from 'vitest';
import { returnAddress, withOutcome } from './oauth/rules.ts';

const served = { publicUrl: 'https://cal.example.org', environment: 'production' };

describe('OAuth return addresses', () => {
  it.each([
    [undefined, 'https://cal.example.org/integrations'],
    ['/integrations?tab=1', 'https://cal.example.org/integrations?tab=1'],
    ['https://cal.example.org/x', 'https://cal.example.org/x'],
  ])('an OAuth return address of %s becomes a page of this site', (wanted, address) => {
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
  ])('an OAuth return address of %s is refused', (wanted) => {
    expect(returnAddress(wanted, served)).toBeNull();
  });

  it('an OAuth return address may use another port of the same host in development', () => {
    const developing = { publicUrl: 'http://localhost:3000', environment: 'development' };
    expect(returnAddress('http://localhost:5173/integrations', developing)).toBe('http://localhost:5173/integrations');
    expect(returnAddress('http://evil.example:5173/', developing)).toBeNull();
  });

  it('an OAuth outcome is added to the return address and keeps its query', () => {
    const outcome = { connected: 'google', status: 'error', message: 'No & no' } as const;
    expect(withOutcome('https://cal.example.org/integrations?a=1', outcome)).toBe(
      'https://cal.example.org/integrations?a=1&connected=google&status=error&message=No+%26+no',
    );
  });
});
