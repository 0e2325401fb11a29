import * as z from 'zod/mini';
import { roles } from '#features/accounts/contract.ts';
import { line, uuid } from '#kernel/codecs.ts';

/** Shapes that every sign-in method shares. */

export const challenge = line(200).check(z.minLength(1));
export const totpCode = z.string().check(z.regex(/^[0-9]{6}$/, { error: 'Enter the six-digit code from your app.' }));
export const password = z.string().check(z.minLength(1), z.maxLength(4_096)); // any bytes; strength: rules/password.ts
export const door = z.optional(z.enum(['user', 'admin']));

/** The answer of a sign-in: a session, or (`next`) the next factor, under the challenge `session`. */
export const signedInShape = z.object({
  message: z.string(),
  user: z.object({ email: z.string(), name: z.string(), company: z.nullable(z.string()), role: z.enum(roles) }),
  user_id: uuid,
  session_token: z.nullable(z.string()),
  next: z.nullable(z.enum(['MFA_ENROLL', 'MFA_REQUIRED'])),
  session: z.nullable(z.string()),
});
