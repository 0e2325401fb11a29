import { AppError } from '#kernel/errors.ts';

export function challengeEnded(): AppError {
  return new AppError('unauthenticated', 'CHALLENGE_ENDED', 'This sign-in has expired. Sign in again.');
}

/** The same for a code that is wrong, too old or used already. */
export function codeWrong(): AppError {
  return new AppError(
    'unauthenticated',
    'MFA_CODE_WRONG',
    'This code is wrong or was used before. Enter the next one.',
  );
}

export function mfaNotSetUp(): AppError {
  return new AppError('conflict', 'MFA_NOT_SET_UP', 'Multi-factor authentication is not set up. Nothing was changed.');
}
