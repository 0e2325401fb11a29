export const signUpPolicies = ['open', 'invited', 'closed'] as const;
export type SignUpPolicy = (typeof signUpPolicies)[number];

/** Whether somebody with this address (in its canonical form) may open an account. */
export function maySignUp(policy: SignUpPolicy, allowed: readonly string[], email: string): boolean {
  if (policy !== 'invited') return policy === 'open';
  return allowed.includes(email) || allowed.includes(email.slice(email.lastIndexOf('@')));
}
