import type { KnownUser } from '#features/accounts/rules/profile.ts';

/** How long the way from the first proof to the second may take. */
export const challengeMinutes = 10;
/** Wrong codes until the first proof has to be given again. */
export const mostAttempts = 5;
export const backupCodeCount = 10;

/** Where the key of an app is sealed. */
export const totpPlace = (userId: string) => ({ table: 'access.totp', row: userId, column: 'secret' });
/** Where one that is being set up is. */
export const pendingPlace = (challengeId: string) => ({
  table: 'access.challenges',
  row: challengeId,
  column: 'secret',
});

/** How somebody has proved who they are, as far as they have. */
export interface Proven {
  secondFactor: boolean;
  door: 'user' | 'admin';
}

/** The next factor of a sign-in; null when it is complete. */
export function nextStep(
  user: Pick<KnownUser, 'role' | 'mfa_enabled_at'>,
  proven: Proven,
  requireAdminMfa: boolean,
): 'MFA_REQUIRED' | 'MFA_ENROLL' | null {
  if (proven.secondFactor) return null;
  if (user.mfa_enabled_at !== null) return 'MFA_REQUIRED';
  return proven.door === 'admin' && user.role === 'admin' && requireAdminMfa ? 'MFA_ENROLL' : null;
}

/** One network at one account's codes. A code that is right gives it back. */
export const codesPerAccountAndNetwork = {
  action: 'second factor, account and network',
  burst: 10,
  periodSeconds: 900,
};
/**
 * Many networks at one account's codes, over all challenges: three of a million are right at a time, so a guesser who
 * has the password needs years. Its owner still has passkeys and backup codes, which are counted apart.
 */
export const codesPerAccount = { action: 'second factor, account', burst: 30, periodSeconds: 3_600 };
/** One network at many accounts. */
export const codesPerNetwork = { action: 'second factor, network', burst: 100, periodSeconds: 900 };
