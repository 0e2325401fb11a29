import { generateSecret, generateURI, verifySync } from 'otplib';

/** Time-based one-time codes as every authenticator app makes them: six digits, 30 s, SHA-1. *Source*: RFC 6238. */

const stepSeconds = 30;

/** A new key: 160 random bits in base32, as a person types it. */
export function mintTotpKey(): string {
  return generateSecret();
}

/** The content of the QR code. *Source*: the Key URI Format of Google Authenticator. */
export function totpAddress(key: string, { issuer, account }: { issuer: string; account: string }): string {
  return generateURI({ issuer, label: account, secret: key });
}

/**
 * Returns the time step of a code: now, or one before or after for clocks that differ. Null for any other code. Callers
 * store the step and refuse steps up to it, so that a code works once.
 */
export function findTotpStep(key: string, code: string, nowMs: number): number | null {
  if (!/^[0-9]{6}$/.test(code)) return null; // otplib throws for what is no code
  const epoch = Math.floor(nowMs / 1000);
  const result = verifySync({ secret: key, token: code, epoch, epochTolerance: stepSeconds });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
