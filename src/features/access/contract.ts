/**
 * Owns: how people prove who they are: passwords and what stands in for them.
 * Announces: nothing.
 * Never: tells whether an address has an account, except to whoever tries to sign up with it.
 */
import * as z from 'zod/mini';
import { roles } from '#features/accounts/contract.ts';
import { line, zone } from '#kernel/codecs.ts';
import { endpoint } from '#kernel/contract.ts';

const email = line(400); // canonical form and validity: accounts/rules/email.ts
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
};
