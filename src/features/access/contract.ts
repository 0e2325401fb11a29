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
    /** `signed_in`: this browser signed up within the last hour, so it has a session now. */
    output: z.object({ message: z.string(), signed_in: z.boolean() }),
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
  ...proofEndpoints,
  ...identityEndpoints,
};
