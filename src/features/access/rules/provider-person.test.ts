import { describe, expect, it } from 'vitest';
import { providerPersonOf } from './provider-person.ts';

const identity = {
  issuer: 'https://issuer.example',
  subject: 's1',
  tenant: null,
  email: 'dana@example.org',
  emailVerified: false,
  domainVerified: false,
  userName: 'dana@contoso.example',
  name: 'Dana',
};
const personal = '9188040d-6c67-4c5b-b112-36a304b66dad';

describe('email addresses from sign-in providers', () => {
  it.each([
    ['Google says so', 'google', { emailVerified: true }, true],
    ['Google does not', 'google', {}, false],
    ['Apple says so', 'apple', { emailVerified: true }, true],
    ['Google names a domain owner, which is Microsoft’s word', 'google', { domainVerified: true }, false],
    ['Microsoft has a work account', 'microsoft', { tenant: '11111111-1111-1111-1111-111111111111' }, false],
    ['Microsoft says a word that is not its own', 'microsoft', { emailVerified: true }, false],
    ['the domain is the tenant’s', 'microsoft', { domainVerified: true }, true],
    ['the Microsoft account is a personal one', 'microsoft', { tenant: personal }, true],
    ['a personal account has only a name to sign in with', 'microsoft', { tenant: personal, email: null }, false],
  ] as const)('an email address from a provider is proved only where vouched for: %s', (_, provider, told, proven) => {
    expect(providerPersonOf(provider, { ...identity, ...told }, false).isEmailProven).toBe(proven);
  });
});

it('a provider identity is labeled with its proved address, else its user name, address or name', () => {
  const labelOf = (told: object) => providerPersonOf('google', { ...identity, ...told }, false).label;
  expect(labelOf({ emailVerified: true })).toBe('dana@example.org');
  // an address that nobody proved is not what a squatter of it is called by
  expect(labelOf({})).toBe('dana@contoso.example');
  expect(labelOf({ userName: null })).toBe('dana@example.org');
  expect(labelOf({ email: null })).toBe('dana@contoso.example');
  expect(labelOf({ email: null, userName: null })).toBe('Dana');
  expect(labelOf({ email: null, userName: null, name: null })).toBe('without an address');
});

it('an identity of an emulated provider stays the same on another port', () => {
  const onPort = (port: number) =>
    providerPersonOf('google', { ...identity, issuer: `http://127.0.0.1:${port}` }, true);
  expect(onPort(4001)).toEqual(onPort(4002));
  expect(providerPersonOf('microsoft', identity, true).issuer).not.toBe(onPort(1).issuer);
});
