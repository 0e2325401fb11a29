/**
 * Owns: how people prove who they are: passwords and what stands in for them.
 * Announces: nothing.
 * Never: tells whether an address has an account, except to whoever tries to sign up with it.
 */
import * as z from 'zod/mini';
import { instant, line, zone } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';
import { identityEndpoints } from './identities/contract.ts';
import { proofEndpoints } from './proofs/contract.ts';
import { signInsPerNetwork } from './rules/limits.ts';
import { challenge, password, signedInShape, totpCode } from './sign-in/contract.ts';

const email = line(400); // canonical form and validity: accounts/rules/email.ts
const backupCodes = z.array(z.string());
const code = line(100);
/** The solution of the challenge in a refusal `CHALLENGE`; empty from a browser that cannot calculate. */
const solution = z.optional(line(600));

/** Whether a mail is on its way; `mailAt` is where it can be read on a machine without a mail server, else null. */
const mailedShape = z.object({ message: z.string(), mailAt: z.nullable(z.string()) });

export const accessContract = {
  signup: endpoint({
    method: 'POST',
    path: '/auth/signup',
    auth: 'public',
    summary: 'Create an account and email a confirmation link. `setup` is from the set-up link',
    body: z.strictObject({ email, password, timezone: z.optional(zone), setup: z.optional(line(200)), solution }),
    output: mailedShape,
    errors: ['EMAIL_EXISTS', 'WEAK_PASSWORD', 'SET_UP_ENDED', 'SIGN_UP_CLOSED', 'CHALLENGE'],
    status: 201,
  }),
  verifyEmail: endpoint({
    method: 'POST',
    path: '/auth/verify-email',
    auth: 'public',
    summary: 'Confirm an address with the emailed code, after a sign-up in this browser or a change of address',
    body: z.strictObject({ email, code }),
    /**
     * `signed_in`: this browser signed up within the last hour, so it has a session now. `choose_password`: another one
     * did, and the address is confirmed by `resetPassword` with the same code.
     */
    output: z.object({ message: z.string(), signed_in: z.boolean(), choose_password: z.boolean() }),
    errors: ['CODE_INVALID', 'EMAIL_EXISTS', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  resendVerification: endpoint({
    method: 'POST',
    path: '/auth/verify-email/resend',
    auth: 'public',
    summary: 'Email the confirmation link again. The response is the same for every address',
    body: z.strictObject({ email, solution }),
    output: mailedShape,
    errors: ['CHALLENGE'],
  }),
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    auth: 'public',
    summary: 'Sign in. `app` names the sign-in page, and `admin` requires an administrator',
    body: z.strictObject({ email, password, app: z.optional(z.enum(['user', 'admin'])) }),
    allowance: { ...signInsPerNetwork, sparesKnown: true },
    output: signedInShape,
    errors: ['WRONG_CREDENTIALS', 'NOT_AN_ADMIN', 'EMAIL_NOT_VERIFIED', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/auth/password/forgot',
    auth: 'public',
    summary: 'Email a link to choose a new password. The response is the same for every address',
    body: z.strictObject({ email, solution }),
    output: mailedShape,
    errors: ['CHALLENGE'],
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/auth/password/reset',
    auth: 'public',
    summary: 'Choose a new password with the emailed code, also that of a sign-up. Ends all sessions and API keys',
    body: z.strictObject({ email, code, new_password: password }),
    output: z.object({ message: z.string() }),
    errors: ['CODE_INVALID', 'WEAK_PASSWORD', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/account/password',
    auth: 'user',
    summary:
      'Change the password after a recent proof of identity. Ends all other sessions and renews the current token',
    /** `end_keys`: API keys and published feeds of this person end too. */
    body: z.strictObject({ new_password: password, end_keys: z.optional(z.boolean()) }),
    output: z.object({ message: z.string(), session_token: z.string() }),
    errors: ['REAUTHENTICATE', 'WEAK_PASSWORD'],
  }),
  changeEmail: endpoint({
    method: 'POST',
    path: '/api/account/email',
    auth: 'user',
    summary:
      'Email a link to a new address after a recent proof of identity. The address changes when the link is used',
    body: z.strictObject({ email }),
    output: mailedShape,
    errors: ['REAUTHENTICATE'],
  }),
  startEnrolment: endpoint({
    method: 'POST',
    path: '/auth/mfa/enroll/init',
    auth: 'public',
    summary: 'The key for an authenticator app, with the `session` of a sign-in or as a signed-in user',
    body: z.strictObject({ session: z.optional(challenge) }),
    output: z.object({ otpauth: z.string(), base32Secret: z.string(), session: z.string() }),
    errors: ['CHALLENGE_ENDED', 'REAUTHENTICATE'],
  }),
  finishEnrolment: endpoint({
    method: 'POST',
    path: '/auth/mfa/enroll/verify',
    auth: 'public',
    summary: 'Turn on the second factor with its first code. Ends all other sessions and returns the backup codes once',
    body: z.strictObject({ session: challenge, code: totpCode }),
    output: z.extend(signedInShape, { success: z.boolean(), backupCodes }),
    errors: ['CHALLENGE_ENDED', 'MFA_CODE_WRONG', 'NOT_AN_ADMIN', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  verifyMfa: endpoint({
    method: 'POST',
    path: '/auth/mfa/verify',
    auth: 'public',
    summary: 'Finish signing in with an authenticator code',
    body: z.strictObject({ session: challenge, code: totpCode }),
    output: signedInShape,
    errors: ['CHALLENGE_ENDED', 'MFA_CODE_WRONG', 'NOT_AN_ADMIN', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  consumeBackupCode: endpoint({
    method: 'POST',
    path: '/auth/mfa/backup/consume',
    auth: 'public',
    summary: 'Finish signing in with a backup code. Each code works once. Case, dashes, and spaces are ignored',
    body: z.strictObject({ session: challenge, code: line(60) }),
    output: signedInShape,
    errors: ['CHALLENGE_ENDED', 'MFA_CODE_WRONG', 'NOT_AN_ADMIN', 'ACCOUNT_LEAVING', 'ACCOUNT_SUSPENDED'],
  }),
  regenerateBackupCodes: endpoint({
    method: 'POST',
    path: '/auth/mfa/backup/regenerate',
    auth: 'user',
    summary: 'Replace the backup codes. The new codes are returned once',
    output: z.object({ backupCodes }),
    errors: ['MFA_NOT_SET_UP', 'REAUTHENTICATE'],
  }),
  disableMfa: endpoint({
    method: 'POST',
    path: '/auth/mfa/disable',
    auth: 'user',
    summary: 'Turn off the second factor. Ends all other sessions',
    output: signedInShape,
    errors: ['MFA_NOT_SET_UP', 'REAUTHENTICATE'],
  }),
  readMfa: endpoint({
    method: 'GET',
    path: '/api/account/mfa',
    auth: 'user',
    summary: 'State of the second factor and number of unused backup codes',
    output: z.object({
      enabledSince: z.nullable(instant),
      backupCodesLeft: z.int(),
      backupCodeCount: z.int(),
    }),
  }),
  ...proofEndpoints,
  ...identityEndpoints,
};
