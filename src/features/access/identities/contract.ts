import * as z from 'zod/mini';
import { line, text, uuid, zone } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { signInProviders, signInStates } from '../rules/sign-in-providers.ts';
import { signedInShape } from '../sign-in/contract.ts';

const atProvider = z.strictObject({ provider: z.enum(signInProviders) });
const signInState = z.enum(signInStates);

const identitiesShape = z.strictObject({
  identities: z.array(
    z.strictObject({
      id: uuid,
      provider: z.enum(signInProviders),
      service: z.string(), // service name in sentences
      label: z.string(), // the name that its person knows it by
      linkedAt: z.iso.datetime(),
      lastUsedAt: z.iso.datetime(),
    }),
  ),
});

/** Sign-in at providers, and the linked identities. */
export const identityEndpoints = {
  readSignInMethods: endpoint({
    method: 'GET',
    path: '/api/sign-in-methods',
    auth: 'public',
    summary: 'Available sign-in methods besides the password',
    output: z.strictObject({ google: signInState, microsoft: signInState, apple: signInState, zoho: signInState }),
  }),
  startProviderSignIn: endpoint({
    method: 'GET',
    path: '/auth/oauth/{provider}/login',
    auth: 'public',
    summary: 'Redirect to a provider to sign in or sign up',
    params: atProvider,
    query: z.strictObject({
      from: z.optional(text(1_000)), // a page of this origin; anything else is left out
      timezone: z.optional(zone),
      setup: z.optional(line(200)),
    }),
    output: z.string(),
    sendsTo: '/login',
  }),
  finishProviderSignIn: endpoint({
    method: 'GET',
    path: '/auth/oauth/{provider}/callback',
    auth: 'public',
    summary: 'Return address for the provider. Continues with a token to exchange or an error',
    params: atProvider,
    // each provider adds parameters of its own, which are not read
    query: z.record(line(100), text(8_000)),
    output: z.string(),
    sendsTo: '/login',
  }),
  exchangeSignIn: endpoint({
    method: 'POST',
    path: '/auth/oauth/exchange',
    auth: 'public',
    summary: 'Exchange the result of a provider sign-in for a session, once within a minute',
    body: z.strictObject({ token: line(100), provider: z.enum(signInProviders) }),
    output: signedInShape,
    errors: [
      'SIGN_IN_ENDED',
      'EMAIL_EXISTS',
      'NO_EMAIL',
      'EMAIL_NOT_VERIFIED',
      'SET_UP_ENDED',
      'SIGN_UP_CLOSED',
      'ACCOUNT_LEAVING',
      'ACCOUNT_SUSPENDED',
    ],
  }),
  listIdentities: endpoint({
    method: 'GET',
    path: '/api/account/identities',
    auth: 'user',
    summary: 'Linked provider accounts',
    output: identitiesShape,
  }),
  linkIdentity: endpoint({
    method: 'POST',
    path: '/api/account/identities',
    auth: 'user',
    summary: 'Start linking a provider account. Returns the address of the provider',
    body: atProvider,
    output: z.strictObject({ url: z.string() }),
    errors: ['REAUTHENTICATE', 'NOT_CONFIGURED', 'KEY_REQUIRED'],
  }),
  unlinkIdentity: endpoint({
    method: 'DELETE',
    path: '/api/account/identities/{identityId}',
    auth: 'user',
    summary: 'Unlink a provider account. Ends all other sessions',
    params: z.strictObject({ identityId: uuid }),
    output: identitiesShape,
    errors: ['REAUTHENTICATE', 'LAST_WAY_IN'],
  }),
};
