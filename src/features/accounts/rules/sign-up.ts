import { canonicalEmail } from './email.ts';

export const signUpPolicies = ['open', 'invited', 'closed'] as const;
export type SignUpPolicy = (typeof signUpPolicies)[number];

const domain = /^@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/** `ada@example.org`, or `@example.org` for everybody there; null for anything else. */
export function readInvited(typed: string): string | null {
  const text = typed.trim().toLowerCase();
  if (text.startsWith('@')) return domain.test(text) ? text : null;
  return canonicalEmail(text);
}

/** Whether somebody with this address (in its canonical form) may open an account. */
export function maySignUp(policy: SignUpPolicy, allowed: readonly string[], email: string): boolean {
  if (policy !== 'invited') return policy === 'open';
  return allowed.includes(email) || allowed.includes(email.slice(email.lastIndexOf('@')));
}
