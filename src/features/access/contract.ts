/**
 * Owns: how people prove who they are: passwords and what stands in for them.
 * Announces: nothing.
 * Never: tells whether an address has an account, except to whoever tries to sign up with it.
 */
import * as z from 'zod/mini';
import { roles } from '#features/accounts/contract.ts';
import { id, instant, instantMs, line, text, uuid, zone } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { signInsPerNetwork } from './rules/limits.ts';
import { signInProviders, signInStates } from './rules/sign-in-providers.ts';

const email = line(400); // canonical form and validity: accounts/rules/email.ts
const challenge = line(200).check(z.minLength(1));
const totpCode = z.string().check(z.regex(/^[0-9]{6}$/, { error: 'Enter the six digits that your app shows.' }));
const backupCodes = z.array(z.string());
const password = z.string().check(z.minLength(1), z.maxLength(4_096)); // any bytes; strength: rules/password.ts
const code = line(100);
/** The solution of the challenge in a refusal `CHALLENGE`; empty from a browser that cannot calculate. */
const solution = z.optional(line(600));

/** The answer of a sign-in: a session, or (`next`) the next factor, under the challenge `session`. */
export const signedInShape = z.object({
  message: z.string(),
  user: z.object({ email: z.string(), name: z.string(), company: z.nullable(z.string()), role: z.enum(roles) }),
  user_id: uuid,
  session_token: z.nullable(z.string()),
  next: z.nullable(z.enum(['MFA_ENROLL', 'MFA_REQUIRED'])),
  session: z.nullable(z.string()),
});

/** Whether a mail is on its way; `mailAt` is where it can be read on a machine without a mail server, else null. */
const mailedShape = z.object({ message: z.string(), mailAt: z.nullable(z.string()) });
const atProvider = z.strictObject({ provider: z.enum(signInProviders) });
const signInState = z.enum(signInStates);

const identitiesShape = z.strictObject({
  identities: z.array(
    z.strictObject({
      id: uuid,
      provider: z.enum(signInProviders),
      service: z.string(), // its name in sentences
      label: z.string(), // the name that its person knows it by
      linkedAt: z.iso.datetime(),
      lastUsedAt: z.iso.datetime(),
    }),
  ),
});

/** Bytes as an authenticator's answer carries them. */
const base64url = (max: number) =>
  z.string().check(z.regex(/^[A-Za-z0-9_-]+$/, { error: 'Expected base64url' }), z.maxLength(max));
const credentialId = base64url(1_400); // at most 1,023 bytes
const clientDataJSON = base64url(4_000);
const transports = z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(8));

/** The fields of `navigator.credentials.get` that make the proof. Source: Web Authentication Level 3, 5.2.2. */
const assertionShape = z.strictObject({
  id: credentialId,
  clientDataJSON,
  authenticatorData: base64url(4_000),
  signature: base64url(4_000),
  userHandle: z.optional(z.nullable(base64url(100))),
});

const credentialDescriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
});
const requestOptionsShape = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
});
const creationOptionsShape = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(credentialDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});

const passkeyName = line(60).check(z.refine((text: string) => text.trim() !== '', { error: 'Give it a name' }));
const passkeyParams = z.strictObject({ passkeyId: id<'passkey'>() });
const namedPasskey = z.object({ id: id<'passkey'>(), name: z.string() });
const door = z.optional(z.enum(['user', 'admin']));

export const accessContract = {
  signup: endpoint({
    method: 'POST',
    path: '/auth/signup',
    auth: 'public',
    summary: 'Create an account and have the link mailed that confirms its address; `setup` is from the set-up link',
    body: z.strictObject({ email, password, timezone: z.optional(zone), setup: z.optional(line(200)), solution }),
    output: mailedShape,
    errors: ['EMAIL_EXISTS', 'WEAK_PASSWORD', 'SET_UP_ENDED', 'SIGN_UP_CLOSED', 'CHALLENGE'],
    status: 201,
  }),
  verifyEmail: endpoint({
    method: 'POST',
    path: '/auth/verify-email',
    auth: 'public',
    summary: 'Confirm an address with the code that was mailed to it: of a sign-up, or of a change of address',
    body: z.strictObject({ email, code }),
    output: z.object({ message: z.string() }),
    errors: ['CODE_INVALID', 'EMAIL_EXISTS', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  resendVerification: endpoint({
    method: 'POST',
    path: '/auth/verify-email/resend',
    auth: 'public',
    summary: 'Have the link mailed again; the answer is the same for every address',
    body: z.strictObject({ email, solution }),
    output: mailedShape,
    errors: ['CHALLENGE'],
  }),
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    auth: 'public',
    summary: 'Sign in; `app` says at which door, `admin` asks for the rights',
    body: z.strictObject({ email, password, app: z.optional(z.enum(['user', 'admin'])) }),
    allowance: { ...signInsPerNetwork, sparesKnown: true },
    output: signedInShape,
    errors: ['WRONG_CREDENTIALS', 'NOT_AN_ADMIN', 'EMAIL_NOT_VERIFIED', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/auth/password/forgot',
    auth: 'public',
    summary: 'Have a link mailed to choose a new password; the answer is the same for every address',
    body: z.strictObject({ email, solution }),
    output: mailedShape,
    errors: ['CHALLENGE'],
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/auth/password/reset',
    auth: 'public',
    summary: 'Choose a new password with the code that was mailed; ends every session and API key, and opens none',
    body: z.strictObject({ email, code, new_password: password }),
    output: z.object({ message: z.string() }),
    errors: ['CODE_INVALID', 'WEAK_PASSWORD', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/account/password',
    auth: 'user',
    summary: 'Choose another password after a recent proof; ends every other session and renews the token of this one',
    /** `end_keys`: API keys and published feeds of this person end too. */
    body: z.strictObject({ new_password: password, end_keys: z.optional(z.boolean()) }),
    output: z.object({ message: z.string(), session_token: z.string() }),
    errors: ['REAUTHENTICATE', 'WEAK_PASSWORD'],
  }),
  changeEmail: endpoint({
    method: 'POST',
    path: '/api/account/email',
    auth: 'user',
    summary: 'Have a link mailed to a new address after a recent proof; it is the account’s once the link is used',
    body: z.strictObject({ email }),
    output: mailedShape,
    errors: ['REAUTHENTICATE'],
  }),
  startEnrolment: endpoint({
    method: 'POST',
    path: '/auth/mfa/enroll/init',
    auth: 'public',
    summary: 'The key for an authenticator app: with the `session` of a sign-in, or signed in',
    body: z.strictObject({ session: z.optional(challenge) }),
    output: z.object({ otpauth: z.string(), base32Secret: z.string(), session: z.string() }),
    errors: ['CHALLENGE_ENDED', 'REAUTHENTICATE'],
  }),
  finishEnrolment: endpoint({
    method: 'POST',
    path: '/auth/mfa/enroll/verify',
    auth: 'public',
    summary: 'Turn the second factor on with its first code; ends every other session, shows the backup codes once',
    body: z.strictObject({ session: challenge, code: totpCode }),
    output: z.extend(signedInShape, { success: z.boolean(), backupCodes }),
    errors: ['CHALLENGE_ENDED', 'MFA_CODE_WRONG', 'NOT_AN_ADMIN', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  verifyMfa: endpoint({
    method: 'POST',
    path: '/auth/mfa/verify',
    auth: 'public',
    summary: 'Finish a sign-in with a code of the authenticator app',
    body: z.strictObject({ session: challenge, code: totpCode }),
    output: signedInShape,
    errors: ['CHALLENGE_ENDED', 'MFA_CODE_WRONG', 'NOT_AN_ADMIN', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  consumeBackupCode: endpoint({
    method: 'POST',
    path: '/auth/mfa/backup/consume',
    auth: 'public',
    summary: 'Finish a sign-in with a backup code, which is then used up; case, dashes and spaces do not matter',
    body: z.strictObject({ session: challenge, code: line(60) }),
    output: signedInShape,
    errors: ['CHALLENGE_ENDED', 'MFA_CODE_WRONG', 'NOT_AN_ADMIN', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  regenerateBackupCodes: endpoint({
    method: 'POST',
    path: '/auth/mfa/backup/regenerate',
    auth: 'user',
    summary: 'New backup codes in place of the old ones, shown this once',
    output: z.object({ backupCodes }),
    errors: ['MFA_NOT_SET_UP', 'REAUTHENTICATE'],
  }),
  disableMfa: endpoint({
    method: 'POST',
    path: '/auth/mfa/disable',
    auth: 'user',
    summary: 'Turn the second factor off; ends every other session',
    output: signedInShape,
    errors: ['MFA_NOT_SET_UP', 'REAUTHENTICATE'],
  }),
  readMfa: endpoint({
    method: 'GET',
    path: '/api/account/mfa',
    auth: 'user',
    summary: 'Whether a second factor is on, and how many backup codes are left',
    output: z.object({
      enabledSince: z.nullable(instant),
      backupCodesLeft: z.int(),
      backupCodeCount: z.int(),
    }),
  }),
  askForPasskey: endpoint({
    method: 'POST',
    path: '/auth/passkey/options',
    auth: 'public',
    summary: 'What an authenticator has to sign to sign its person in; good for five minutes, once, in this browser',
    output: requestOptionsShape,
  }),
  verifyPasskey: endpoint({
    method: 'POST',
    path: '/auth/passkey/verify',
    auth: 'public',
    summary: 'Sign in with a passkey, which counts as both factors',
    body: z.strictObject({ passkey: assertionShape, app: door }),
    output: signedInShape,
    errors: ['CHALLENGE_ENDED', 'PASSKEY_REFUSED', 'NOT_AN_ADMIN', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  listPasskeys: endpoint({
    method: 'GET',
    path: '/api/account/passkeys',
    auth: 'user',
    summary: 'The passkeys of this account, the oldest first',
    output: z.object({
      passkeys: z.array(
        z.object({
          id: id<'passkey'>(),
          name: z.string(),
          /** Whether its provider had copied it to other devices of the person when it was made. */
          synced: z.boolean(),
          createdAt: instantMs,
          lastUsedAt: z.nullable(instantMs),
        }),
      ),
    }),
  }),
  offerPasskey: endpoint({
    method: 'POST',
    path: '/api/account/passkeys/options',
    auth: 'user',
    summary: 'What an authenticator needs to make a passkey; good for five minutes, once, in this browser',
    output: creationOptionsShape,
    errors: ['REAUTHENTICATE'],
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/api/account/passkeys',
    auth: 'user',
    summary: 'Keep the passkey that an authenticator has made',
    body: z.strictObject({
      name: passkeyName,
      passkey: z.strictObject({
        id: credentialId,
        clientDataJSON,
        attestationObject: base64url(20_000),
        transports,
      }),
    }),
    output: namedPasskey,
    status: 201,
    errors: ['REAUTHENTICATE', 'CHALLENGE_ENDED', 'PASSKEY_REFUSED', 'PASSKEY_KNOWN', 'TOO_MANY_PASSKEYS'],
  }),
  renamePasskey: endpoint({
    method: 'PATCH',
    path: '/api/account/passkeys/{passkeyId}',
    auth: 'user',
    summary: 'Give a passkey another name',
    params: passkeyParams,
    body: z.strictObject({ name: passkeyName }),
    output: namedPasskey,
  }),
  removePasskey: endpoint({
    method: 'DELETE',
    path: '/api/account/passkeys/{passkeyId}',
    auth: 'user',
    summary: 'Forget a passkey: it opens nothing any more',
    params: passkeyParams,
    output: z.void(),
    status: 204,
    errors: ['REAUTHENTICATE', 'LAST_WAY_IN'],
  }),
  readProofs: endpoint({
    method: 'GET',
    path: '/api/account/reauthenticate',
    auth: 'user',
    summary: 'With what this person can prove again who they are; nothing at all means signing in again',
    output: z.object({
      password: z.boolean(),
      /** The authenticator app. */
      code: z.boolean(),
      passkey: z.boolean(),
      provedRecently: z.boolean(),
    }),
  }),
  askForProof: endpoint({
    method: 'POST',
    path: '/api/account/reauthenticate/options',
    auth: 'user',
    summary: 'What an authenticator has to sign for the person to prove again who they are',
    output: requestOptionsShape,
  }),
  reauthenticate: endpoint({
    method: 'POST',
    path: '/api/account/reauthenticate',
    auth: 'user',
    summary:
      'Prove again who one is: a passkey, or the password, with a code where there is a second factor. Sensitive calls are open for ten minutes then',
    body: z
      .strictObject({
        password: z.optional(password),
        code: z.optional(totpCode),
        passkey: z.optional(assertionShape),
      })
      .check(
        z.refine(({ passkey, password, code }) => (passkey === undefined) === ((password ?? code) !== undefined), {
          error: 'Give a passkey, or the password and the code that the account has',
        }),
      ),
    /** The token of this session from now on; the cookie has been set to it. */
    output: z.object({ message: z.string(), session_token: z.string() }),
    errors: ['WRONG_CREDENTIALS', 'MFA_CODE_WRONG', 'CHALLENGE_ENDED', 'PASSKEY_REFUSED', 'PROOF_INCOMPLETE'],
  }),
  readSignInMethods: endpoint({
    method: 'GET',
    path: '/api/sign-in-methods',
    auth: 'public',
    summary: 'Where people may sign in here instead of with a password',
    output: z.strictObject({ google: signInState, microsoft: signInState, apple: signInState, zoho: signInState }),
  }),
  startProviderSignIn: endpoint({
    method: 'GET',
    path: '/auth/oauth/{provider}/login',
    auth: 'public',
    summary: 'Send the browser to a provider to sign in, or up, there',
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
    summary: 'Where the provider sends the browser back to; goes on with a token to exchange, or with what was wrong',
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
    summary: 'Sign in with what a provider sent this browser back with: once, within a minute',
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
    summary: 'Accounts at providers that sign this person in',
    output: identitiesShape,
  }),
  linkIdentity: endpoint({
    method: 'POST',
    path: '/api/account/identities',
    auth: 'user',
    summary: 'Begin to link an account at a provider: the address at which its person shows that it is theirs',
    body: atProvider,
    output: z.strictObject({ url: z.string() }),
    errors: ['REAUTHENTICATE', 'NOT_CONFIGURED'],
  }),
  unlinkIdentity: endpoint({
    method: 'DELETE',
    path: '/api/account/identities/{identityId}',
    auth: 'user',
    summary: 'Unlink an account at a provider; other sessions end',
    params: z.strictObject({ identityId: uuid }),
    output: identitiesShape,
    errors: ['REAUTHENTICATE', 'LAST_WAY_IN'],
  }),
};
