import type { KnownUser } from '#features/accounts/rules/profile.ts';
import { AppError } from '#kernel/errors.ts';

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

export function challengeEnded(): AppError {
  return new AppError('unauthenticated', 'CHALLENGE_ENDED', 'This sign-in has expired. Sign in again.');
}

/** The same for a code that is wrong, too old or used already. */
export function codeWrong(): AppError {
  return new AppError('unauthenticated', 'MFA_CODE_WRONG', "That code didn't work. Try the next one.");
}

export function mfaNotSetUp(): AppError {
  return new AppError('conflict', 'MFA_NOT_SET_UP', 'Multi-factor authentication is not set up. Nothing was changed.');
}

/** Crockford's base32: no I, L, O or U, which people misread. */
const signs = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Five bits each: 80 in all, so that a leaked hash cannot be turned back by trying. */
export const backupCodeSigns = 16;

/** `7QK2-M0RD-...` from random bytes, one for each sign. */
export function writeBackupCode(random: Uint8Array): string {
  return [...random.subarray(0, backupCodeSigns)]
    .map((byte) => signs.charAt(byte % 32))
    .join('')
    .replace(/.{4}(?=.)/g, '$&-');
}

/** The code in typed text: any case, with or without dashes and spaces, O for 0, I and L for 1. */
export function readBackupCode(typed: string): string | null {
  if (!/^[0-9a-z -]*$/i.test(typed)) return null; // `ß` would become two signs
  const plain = typed.toUpperCase().replace(/[- ]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  const isCode = plain.length === backupCodeSigns && [...plain].every((sign) => signs.includes(sign));
  return isCode ? plain : null;
}
