/**
 * Owns: how people prove who they are: passwords and what stands in for them.
 * Announces: nothing.
 * Never: tells whether an address has an account, except to whoever tries to sign up with it.
 */
import * as z from 'zod/mini';
import { roles } from '#features/accounts/contract.ts';
import { instant, line, zone } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

const email = line(400); // canonical form and validity: accounts/rules/email.ts
const challenge = z.string().check(z.minLength(1), z.maxLength(200));
const totpCode = z.string().check(z.regex(/^[0-9]{6}$/, { error: 'Enter the six digits that your app shows.' }));
const backupCodes = z.array(z.string());
const password = z.string().check(z.minLength(1), z.maxLength(4_096)); // strength: rules/password.ts

/** What a sign-in answers: a session, or (`next`) what is still asked for, under the challenge `session`. */
export const signedInShape = z.object({
  message: z.string(),
  user: z.object({ email: z.string(), name: z.string(), company: z.nullable(z.string()), role: z.enum(roles) }),
  user_id: z.uuid(),
  session_token: z.nullable(z.string()),
  next: z.nullable(z.enum(['MFA_ENROLL', 'MFA_REQUIRED'])),
  session: z.nullable(z.string()),
});

export const accessContract = {
  signup: endpoint({
    method: 'POST',
    path: '/auth/signup',
    auth: 'public',
    summary: 'Create an account and sign in; the first one of an install administers it',
    body: z.strictObject({ email, password, timezone: z.optional(zone) }),
    output: signedInShape,
    errors: ['EMAIL_EXISTS', 'WEAK_PASSWORD'],
    status: 201,
  }),
  login: endpoint({
    method: 'POST',
    path: '/auth/login',
    auth: 'public',
    summary: 'Sign in; `app` says at which door, `admin` asks for the rights',
    body: z.strictObject({ email, password, app: z.optional(z.enum(['user', 'admin'])) }),
    output: signedInShape,
    errors: ['WRONG_CREDENTIALS', 'NOT_AN_ADMIN'],
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
    errors: ['CHALLENGE_ENDED', 'MFA_CODE_WRONG', 'NOT_AN_ADMIN'],
  }),
  verifyMfa: endpoint({
    method: 'POST',
    path: '/auth/mfa/verify',
    auth: 'public',
    summary: 'Finish a sign-in with a code of the authenticator app',
    body: z.strictObject({ session: challenge, code: totpCode }),
    output: signedInShape,
    errors: ['CHALLENGE_ENDED', 'MFA_CODE_WRONG', 'NOT_AN_ADMIN'],
  }),
  consumeBackupCode: endpoint({
    method: 'POST',
    path: '/auth/mfa/backup/consume',
    auth: 'public',
    summary: 'Finish a sign-in with a backup code, which is then used up; case, dashes and spaces do not matter',
    body: z.strictObject({ session: challenge, code: line(60) }),
    output: signedInShape,
    errors: ['CHALLENGE_ENDED', 'MFA_CODE_WRONG', 'NOT_AN_ADMIN'],
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
};
