import * as z from 'zod/mini';
import { id, instantMs, line } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { door, password, signedInShape, totpCode } from '../sign-in/contract.ts';

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

/** Passkeys, and proofs of a signed-in person. */
export const proofEndpoints = {
  askForPasskey: endpoint({
    method: 'POST',
    path: '/auth/passkey/options',
    auth: 'public',
    summary: 'Challenge for signing in with a passkey. Valid once in this browser, for five minutes',
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
    summary: 'Passkeys of the account, oldest first',
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
    summary: 'Challenge for creating a passkey. Valid once in this browser, for five minutes',
    output: creationOptionsShape,
    errors: ['REAUTHENTICATE'],
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/api/account/passkeys',
    auth: 'user',
    summary: 'Register a new passkey',
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
    summary: 'Rename a passkey',
    params: passkeyParams,
    body: z.strictObject({ name: passkeyName }),
    output: namedPasskey,
  }),
  removePasskey: endpoint({
    method: 'DELETE',
    path: '/api/account/passkeys/{passkeyId}',
    auth: 'user',
    summary: 'Delete a passkey',
    params: passkeyParams,
    output: z.void(),
    status: 204,
    errors: ['REAUTHENTICATE', 'LAST_WAY_IN'],
  }),
  readProofs: endpoint({
    method: 'GET',
    path: '/api/account/reauthenticate',
    auth: 'user',
    summary: 'Available proofs of identity. An empty list requires a new sign-in',
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
    summary: 'Passkey challenge for a proof of identity',
    output: requestOptionsShape,
  }),
  reauthenticate: endpoint({
    method: 'POST',
    path: '/api/account/reauthenticate',
    auth: 'user',
    summary:
      'Prove your identity with a passkey, or with the password and a second factor. Allows sensitive calls for ten minutes',
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
};
